; A drink needs syrup and milk in the cup, fetched one at a time in either order, before it is stirred.
(define (domain mixer)
  (:requirements :strips :typing :negative-preconditions)
  (:types place)
  (:predicates
    (next ?a ?b - place) (table ?p - place) (here ?p - place)
    (syrup-on ?p - place) (milk-on ?p - place)
    (have-syrup) (have-milk) (syrup-in) (milk-in) (ready) (served))
  (:action go
    :parameters (?a ?b - place)
    :precondition (and (here ?a) (next ?a ?b))
    :effect (and (here ?b) (not (here ?a))))
  (:action take-syrup
    :parameters (?p - place)
    :precondition (and (here ?p) (syrup-on ?p) (not (have-milk)))
    :effect (and (have-syrup) (not (syrup-on ?p))))
  (:action put-syrup
    :parameters (?p - place)
    :precondition (and (here ?p) (have-syrup))
    :effect (and (syrup-on ?p) (not (have-syrup))))
  (:action take-milk
    :parameters (?p - place)
    :precondition (and (here ?p) (milk-on ?p) (not (have-syrup)))
    :effect (and (have-milk) (not (milk-on ?p))))
  (:action put-milk
    :parameters (?p - place)
    :precondition (and (here ?p) (have-milk))
    :effect (and (milk-on ?p) (not (have-milk))))
  (:action pour-syrup
    :parameters (?p - place)
    :precondition (and (here ?p) (table ?p) (have-syrup))
    :effect (and (syrup-in) (not (have-syrup))))
  (:action pour-milk
    :parameters (?p - place)
    :precondition (and (here ?p) (table ?p) (have-milk))
    :effect (and (milk-in) (not (have-milk))))
  (:action stir
    :parameters (?p - place)
    :precondition (and (here ?p) (table ?p) (syrup-in) (milk-in))
    :effect (ready))
  (:action serve
    :parameters (?p - place)
    :precondition (and (ready) (here ?p) (table ?p))
    :effect (served)))
