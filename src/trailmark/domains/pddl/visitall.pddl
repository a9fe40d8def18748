; Visitall: a robot walks over connected places until it has been everywhere it should.
(define (domain grid-visit-all)
  (:requirements :strips :typing)
  (:types place - object)

  (:predicates
    (connected ?here - place ?there - place)
    (at-robot ?here - place)
    (visited ?here - place))

  (:action move
    :parameters (?here - place ?there - place)
    :precondition (and
      (connected ?here ?there)
      (at-robot ?here))
    :effect (and
      (visited ?there)
      (at-robot ?there)
      (not (at-robot ?here)))))
