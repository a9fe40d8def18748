; Ferry: a boat that holds one car brings cars from where they are to where they should be.
(define (domain ferry)
  (:requirements :strips :typing)
  (:types ferry obj)

  (:predicates
    (car ?car - obj)
    (location ?port - obj)
    (not-eq ?port - obj ?other - obj)
    (at ?car - obj ?port - obj)
    (at-ferry ?port - obj)
    (on ?car - obj)
    (empty-ferry ?boat - ferry)
    (full-ferry ?boat - ferry))

  (:action sail
    :parameters (?port - obj ?other - obj)
    :precondition (and
      (location ?port)
      (location ?other)
      (not-eq ?port ?other)
      (at-ferry ?port))
    :effect (and
      (at-ferry ?other)
      (not (at-ferry ?port))))

  (:action board
    :parameters (?car - obj ?port - obj ?boat - ferry)
    :precondition (and
      (car ?car)
      (location ?port)
      (at ?car ?port)
      (at-ferry ?port)
      (empty-ferry ?boat))
    :effect (and
      (on ?car)
      (full-ferry ?boat)
      (not (at ?car ?port))
      (not (empty-ferry ?boat))))

  (:action debark
    :parameters (?car - obj ?port - obj ?boat - ferry)
    :precondition (and
      (car ?car)
      (location ?port)
      (on ?car)
      (at-ferry ?port)
      (full-ferry ?boat))
    :effect (and
      (at ?car ?port)
      (empty-ferry ?boat)
      (not (on ?car))
      (not (full-ferry ?boat)))))
