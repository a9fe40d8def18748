; Workshop: every part passes through its own sequence of jobs. A job needs the part clamped in a machine
; in which a tool for that job is mounted; each job leaves the tool blunt, and only in the rack is it ground.
(define (domain workshop)
  (:requirements :strips :typing :negative-preconditions)
  (:types part machine tool job stage - object)

  (:predicates
    (asks ?part - part ?stage - stage ?job - job)
    (followed-by ?stage - stage ?next - stage)
    (final ?part - part ?stage - stage)
    (does ?tool - tool ?job - job)
    (fits ?tool - tool ?machine - machine)
    (reached ?part - part ?stage - stage)
    (in-stock ?part - part)
    (clamped ?part - part ?machine - machine)
    (vacant ?machine - machine)
    (in-rack ?tool - tool)
    (mounted ?tool - tool ?machine - machine)
    (bare ?machine - machine)
    (sharp ?tool - tool)
    (shipped ?part - part))

  (:action mount
    :parameters (?tool - tool ?machine - machine)
    :precondition (and
      (fits ?tool ?machine)
      (in-rack ?tool)
      (bare ?machine))
    :effect (and
      (mounted ?tool ?machine)
      (not (in-rack ?tool))
      (not (bare ?machine))))

  (:action unmount
    :parameters (?tool - tool ?machine - machine)
    :precondition (mounted ?tool ?machine)
    :effect (and
      (in-rack ?tool)
      (bare ?machine)
      (not (mounted ?tool ?machine))))

  (:action grind
    :parameters (?tool - tool)
    :precondition (and
      (in-rack ?tool)
      (not (sharp ?tool)))
    :effect (sharp ?tool))

  (:action clamp
    :parameters (?part - part ?machine - machine)
    :precondition (and
      (in-stock ?part)
      (vacant ?machine))
    :effect (and
      (clamped ?part ?machine)
      (not (in-stock ?part))
      (not (vacant ?machine))))

  (:action release
    :parameters (?part - part ?machine - machine)
    :precondition (clamped ?part ?machine)
    :effect (and
      (in-stock ?part)
      (vacant ?machine)
      (not (clamped ?part ?machine))))

  (:action process
    :parameters (?part - part ?machine - machine ?tool - tool ?job - job ?stage - stage ?next - stage)
    :precondition (and
      (asks ?part ?stage ?job)
      (does ?tool ?job)
      (followed-by ?stage ?next)
      (clamped ?part ?machine)
      (mounted ?tool ?machine)
      (sharp ?tool)
      (reached ?part ?stage))
    :effect (and
      (reached ?part ?next)
      (not (reached ?part ?stage))
      (not (sharp ?tool))))

  (:action ship
    :parameters (?part - part ?stage - stage)
    :precondition (and
      (final ?part ?stage)
      (reached ?part ?stage)
      (in-stock ?part))
    :effect (and
      (shipped ?part)
      (not (in-stock ?part)))))
