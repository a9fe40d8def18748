; Delivery: a truck that carries one package at a time brings packages to their cells.
(define (domain delivery)
  (:requirements :strips :typing)
  (:types
    locatable cell - object
    truck package - locatable)

  (:predicates
    (adjacent ?here - cell ?there - cell)
    (at ?thing - locatable ?here - cell)
    (empty ?truck - truck)
    (carrying ?truck - truck ?package - package))

  (:action move
    :parameters (?truck - truck ?here - cell ?there - cell)
    :precondition (and
      (at ?truck ?here)
      (adjacent ?here ?there))
    :effect (and
      (at ?truck ?there)
      (not (at ?truck ?here))))

  (:action pick-package
    :parameters (?truck - truck ?package - package ?here - cell)
    :precondition (and
      (at ?truck ?here)
      (at ?package ?here)
      (empty ?truck))
    :effect (and
      (carrying ?truck ?package)
      (not (empty ?truck))
      (not (at ?package ?here))))

  (:action drop-package
    :parameters (?truck - truck ?package - package ?here - cell)
    :precondition (and
      (at ?truck ?here)
      (carrying ?truck ?package))
    :effect (and
      (at ?package ?here)
      (empty ?truck)
      (not (carrying ?truck ?package)))))
