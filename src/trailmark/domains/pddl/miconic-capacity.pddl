; Miconic-capacity: Miconic where the lift holds one passenger at a time.
(define (domain miconic-capacity)
  (:requirements :strips :typing)
  (:types floor passenger - object)

  (:predicates
    (above ?low - floor ?high - floor)
    (origin ?who - passenger ?floor - floor)
    (destin ?who - passenger ?floor - floor)
    (lift-at ?floor - floor)
    (lift-empty)
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
      (lift-empty)
      (origin ?who ?floor))
    :effect (and
      (boarded ?who)
      (not (lift-empty))))

  (:action depart
    :parameters (?floor - floor ?who - passenger)
    :precondition (and
      (lift-at ?floor)
      (destin ?who ?floor)
      (boarded ?who))
    :effect (and
      (served ?who)
      (lift-empty)
      (not (boarded ?who)))))
