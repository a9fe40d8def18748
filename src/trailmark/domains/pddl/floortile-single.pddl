; Floortile-single: Floortile with exactly one robot.
; A painted tile can never be entered again. (up ?y ?x) reads: ?y is the tile above ?x.
(define (domain floor-tile)
  (:requirements :strips :typing)
  (:types color tile robot - object)

  (:predicates
    (up ?tile - tile ?from - tile)
    (down ?tile - tile ?from - tile)
    (left ?tile - tile ?from - tile)
    (right ?tile - tile ?from - tile)
    (available-color ?color - color)
    (robot-at ?robot - robot ?tile - tile)
    (robot-has ?robot - robot ?color - color)
    (free-color ?robot - robot)
    (clear ?tile - tile)
    (painted ?tile - tile ?color - color))

  (:action change-color
    :parameters (?robot - robot ?old - color ?new - color)
    :precondition (and
      (robot-has ?robot ?old)
      (available-color ?new))
    :effect (and
      (not (robot-has ?robot ?old))
      (robot-has ?robot ?new)))

  (:action paint-up
    :parameters (?robot - robot ?tile - tile ?from - tile ?color - color)
    :precondition (and
      (robot-at ?robot ?from)
      (robot-has ?robot ?color)
      (up ?tile ?from)
      (clear ?tile))
    :effect (and
      (painted ?tile ?color)
      (not (clear ?tile))))

  (:action paint-down
    :parameters (?robot - robot ?tile - tile ?from - tile ?color - color)
    :precondition (and
      (robot-at ?robot ?from)
      (robot-has ?robot ?color)
      (down ?tile ?from)
      (clear ?tile))
    :effect (and
      (painted ?tile ?color)
      (not (clear ?tile))))

  (:action up
    :parameters (?robot - robot ?from - tile ?tile - tile)
    :precondition (and
      (robot-at ?robot ?from)
      (up ?tile ?from)
      (clear ?tile))
    :effect (and
      (robot-at ?robot ?tile)
      (clear ?from)
      (not (robot-at ?robot ?from))
      (not (clear ?tile))))

  (:action down
    :parameters (?robot - robot ?from - tile ?tile - tile)
    :precondition (and
      (robot-at ?robot ?from)
      (down ?tile ?from)
      (clear ?tile))
    :effect (and
      (robot-at ?robot ?tile)
      (clear ?from)
      (not (robot-at ?robot ?from))
      (not (clear ?tile))))

  (:action left
    :parameters (?robot - robot ?from - tile ?tile - tile)
    :precondition (and
      (robot-at ?robot ?from)
      (left ?tile ?from)
      (clear ?tile))
    :effect (and
      (robot-at ?robot ?tile)
      (clear ?from)
      (not (robot-at ?robot ?from))
      (not (clear ?tile))))

  (:action right
    :parameters (?robot - robot ?from - tile ?tile - tile)
    :precondition (and
      (robot-at ?robot ?from)
      (right ?tile ?from)
      (clear ?tile))
    :effect (and
      (robot-at ?robot ?tile)
      (clear ?from)
      (not (robot-at ?robot ?from))
      (not (clear ?tile)))))
