; Newspapers: papers are packed at the home base and delivered, any number in one round.
(define (domain newspapers)
  (:requirements :strips :typing)
  (:types paper loc)

  (:predicates
    (ishomebase ?here - loc)
    (at ?here - loc)
    (unpacked ?paper - paper)
    (carrying ?paper - paper)
    (wantspaper ?here - loc)
    (satisfied ?here - loc))

  (:action move
    :parameters (?here - loc ?there - loc)
    :precondition (at ?here)
    :effect (and
      (not (at ?here))
      (at ?there)))

  (:action pick-up
    :parameters (?paper - paper ?here - loc)
    :precondition (and
      (ishomebase ?here)
      (at ?here)
      (unpacked ?paper))
    :effect (and
      (carrying ?paper)
      (not (unpacked ?paper))))

  (:action deliver
    :parameters (?paper - paper ?here - loc)
    :precondition (and
      (at ?here)
      (carrying ?paper)
      (wantspaper ?here))
    :effect (and
      (satisfied ?here)
      (not (wantspaper ?here))
      (not (carrying ?paper)))))
