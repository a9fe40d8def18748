; Gripper: a robot with two grippers carries balls from one room to another.
(define (domain gripper-strips)
  (:requirements :strips)

  (:predicates
    (ball ?ball)
    (room ?room)
    (gripper ?gripper)
    (at ?ball ?room)
    (at-robby ?room)
    (carry ?ball ?gripper)
    (free ?gripper))

  (:action move
    :parameters (?room ?other)
    :precondition (and
      (room ?room)
      (room ?other)
      (at-robby ?room))
    :effect (and
      (at-robby ?other)
      (not (at-robby ?room))))

  (:action pick
    :parameters (?ball ?room ?gripper)
    :precondition (and
      (ball ?ball)
      (room ?room)
      (gripper ?gripper)
      (at-robby ?room)
      (at ?ball ?room)
      (free ?gripper))
    :effect (and
      (carry ?ball ?gripper)
      (not (free ?gripper))
      (not (at ?ball ?room))))

  (:action drop
    :parameters (?ball ?room ?gripper)
    :precondition (and
      (ball ?ball)
      (room ?room)
      (gripper ?gripper)
      (at-robby ?room)
      (carry ?ball ?gripper))
    :effect (and
      (at ?ball ?room)
      (free ?gripper)
      (not (carry ?ball ?gripper)))))
