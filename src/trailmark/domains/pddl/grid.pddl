; Grid: a robot that holds one key at a time opens locked cells and brings keys to given cells.
(define (domain grid)
  (:requirements :strips)

  (:predicates
    (place ?cell)
    (key ?key)
    (shape ?shape)
    (conn ?cell ?next)
    (key-shape ?key ?shape)
    (lock-shape ?cell ?shape)
    (locked ?cell)
    (open ?cell)
    (at-robot ?cell)
    (at ?key ?cell)
    (arm-empty)
    (holding ?key))

  (:action move
    :parameters (?cell ?next)
    :precondition (and
      (place ?cell)
      (place ?next)
      (conn ?cell ?next)
      (open ?next)
      (at-robot ?cell))
    :effect (and
      (at-robot ?next)
      (not (at-robot ?cell))))

  (:action unlock
    :parameters (?cell ?next ?key ?shape)
    :precondition (and
      (place ?cell)
      (place ?next)
      (key ?key)
      (shape ?shape)
      (conn ?cell ?next)
      (locked ?next)
      (lock-shape ?next ?shape)
      (key-shape ?key ?shape)
      (holding ?key)
      (at-robot ?cell))
    :effect (and
      (open ?next)
      (not (locked ?next))))

  (:action pickup
    :parameters (?cell ?key)
    :precondition (and
      (place ?cell)
      (key ?key)
      (at-robot ?cell)
      (at ?key ?cell)
      (arm-empty))
    :effect (and
      (holding ?key)
      (not (arm-empty))
      (not (at ?key ?cell))))

  (:action putdown
    :parameters (?cell ?key)
    :precondition (and
      (place ?cell)
      (key ?key)
      (at-robot ?cell)
      (holding ?key))
    :effect (and
      (at ?key ?cell)
      (arm-empty)
      (not (holding ?key))))

  (:action pickup-and-loose
    :parameters (?cell ?new ?old)
    :precondition (and
      (place ?cell)
      (key ?new)
      (key ?old)
      (at-robot ?cell)
      (at ?new ?cell)
      (holding ?old))
    :effect (and
      (holding ?new)
      (at ?old ?cell)
      (not (holding ?old))
      (not (at ?new ?cell)))))
