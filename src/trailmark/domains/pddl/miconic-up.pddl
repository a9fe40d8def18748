; Miconic-up: Miconic where every passenger travels upwards.
(define (domain miconic)
  (:requirements :strips :typing)
  (:types floor passenger - object)

  (:predicates
    (above ?low - floor ?high - floor)
    (origin ?who - passenger ?floor - floor)
    (destin ?who - passenger ?floor - floor)
    (lift-at ?floor - floor)
    (boarded ?who - passenger)
    (served ?who - passenger))

  (:action up
    :parameters (?low - floor ?high - floor)
    :precondition (and
      (above ?low ?high)
      (lift-at ?low))
    :effect (and
      (lift-at ?high)
      (not (lift-at ?low))))

  (:action down
    :parameters (?high - floor ?low - floor)
    :precondition (and
      (above ?low ?high)
      (lift-at ?high))
    :effect (and
      (lift-at ?low)
      (not (lift-at ?high))))

  (:action board
    :parameters (?floor - floor ?who - passenger)
    :precondition (and
      (lift-at ?floor)
      (origin ?who ?floor))
    :effect (and
      (boarded ?who)))

  (:action depart
    :parameters (?floor - floor ?who - passenger)
    :precondition (and
      (lift-at ?floor)
      (destin ?who ?floor)
      (boarded ?who))
    :effect (and
      (served ?who)
      (not (boarded ?who)))))
