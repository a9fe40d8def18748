; A parcel goes by road or by air, and is to be signed for.
(define (domain courier)
  (:requirements :strips :typing)
  (:types place parcel)
  (:predicates
    (road ?a ?b - place) (airport ?p - place)
    (truck-at ?p - place) (plane-at ?p - place)
    (at ?x - parcel ?p - place) (in-truck ?x - parcel) (in-plane ?x - parcel)
    (wanted ?x - parcel ?p - place) (signed ?x - parcel))
  (:action drive
    :parameters (?a ?b - place)
    :precondition (and (truck-at ?a) (road ?a ?b))
    :effect (and (truck-at ?b) (not (truck-at ?a))))
  (:action fly
    :parameters (?a ?b - place)
    :precondition (and (plane-at ?a) (airport ?a) (airport ?b))
    :effect (and (plane-at ?b) (not (plane-at ?a))))
  (:action load-truck
    :parameters (?x - parcel ?p - place)
    :precondition (and (truck-at ?p) (at ?x ?p))
    :effect (and (in-truck ?x) (not (at ?x ?p))))
  (:action unload-truck
    :parameters (?x - parcel ?p - place)
    :precondition (and (truck-at ?p) (in-truck ?x))
    :effect (and (at ?x ?p) (not (in-truck ?x))))
  (:action load-plane
    :parameters (?x - parcel ?p - place)
    :precondition (and (plane-at ?p) (at ?x ?p))
    :effect (and (in-plane ?x) (not (at ?x ?p))))
  (:action unload-plane
    :parameters (?x - parcel ?p - place)
    :precondition (and (plane-at ?p) (in-plane ?x))
    :effect (and (at ?x ?p) (not (in-plane ?x))))
  (:action sign
    :parameters (?x - parcel ?p - place)
    :precondition (and (at ?x ?p) (wanted ?x ?p))
    :effect (signed ?x)))
