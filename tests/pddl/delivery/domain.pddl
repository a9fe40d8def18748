; A van that carries one parcel at a time over a road map.
(define (domain parcel-round)
  (:requirements :strips :typing)
  (:types spot parcel van)
  (:predicates (road ?a ?b - spot) (parked ?v - van ?s - spot) (lies ?p - parcel ?s - spot)
               (loaded ?p - parcel ?v - van) (free ?v - van))
  (:action go
    :parameters (?v - van ?a ?b - spot)
    :precondition (and (parked ?v ?a) (road ?a ?b))
    :effect (and (not (parked ?v ?a)) (parked ?v ?b)))
  (:action take
    :parameters (?v - van ?p - parcel ?s - spot)
    :precondition (and (parked ?v ?s) (lies ?p ?s) (free ?v))
    :effect (and (not (lies ?p ?s)) (not (free ?v)) (loaded ?p ?v)))
  (:action leave
    :parameters (?v - van ?p - parcel ?s - spot)
    :precondition (and (parked ?v ?s) (loaded ?p ?v))
    :effect (and (not (loaded ?p ?v)) (free ?v) (lies ?p ?s))))
