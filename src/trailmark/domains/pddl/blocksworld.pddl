; Blocksworld: restack blocks on a table into several given towers with one hand.
(define (domain blocks)
  (:requirements :strips :typing)
  (:types robot block)

  (:predicates
    (ontable ?block - block)
    (on ?block - block ?below - block)
    (clear ?block - block)
    (holding ?block - block)
    (handempty ?hand - robot)
    (handfull ?hand - robot))

  (:action pick-up
    :parameters (?block - block ?hand - robot)
    :precondition (and
      (ontable ?block)
      (clear ?block)
      (handempty ?hand))
    :effect (and
      (holding ?block)
      (handfull ?hand)
      (not (ontable ?block))
      (not (clear ?block))
      (not (handempty ?hand))))

  (:action unstack
    :parameters (?block - block ?below - block ?hand - robot)
    :precondition (and
      (on ?block ?below)
      (clear ?block)
      (handempty ?hand))
    :effect (and
      (holding ?block)
      (clear ?below)
      (handfull ?hand)
      (not (on ?block ?below))
      (not (clear ?block))
      (not (handempty ?hand))))

  (:action put-down
    :parameters (?block - block ?hand - robot)
    :precondition (and
      (holding ?block)
      (handfull ?hand))
    :effect (and
      (ontable ?block)
      (clear ?block)
      (handempty ?hand)
      (not (holding ?block))
      (not (handfull ?hand))))

  (:action stack
    :parameters (?block - block ?below - block ?hand - robot)
    :precondition (and
      (holding ?block)
      (clear ?below)
      (handfull ?hand))
    :effect (and
      (on ?block ?below)
      (clear ?block)
      (handempty ?hand)
      (not (holding ?block))
      (not (clear ?below))
      (not (handfull ?hand)))))
