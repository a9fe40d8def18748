; Shunting: an engine sorts wagons onto dead-end tracks. Only the wagon nearest to the open end of a track
; can be drawn out, one at a time, and a track takes only so many.
(define (domain shunting)
  (:requirements :strips :typing)
  (:types engine wagon track places - object)

  (:predicates
    (switch ?from - track ?to - track)
    (one-fewer ?more - places ?fewer - places)
    (before ?engine - engine ?track - track)
    (light ?engine - engine)
    (pulls ?engine - engine ?wagon - wagon)
    (stands-on ?wagon - wagon ?track - track)
    (outermost ?wagon - wagon ?track - track)
    (innermost ?wagon - wagon ?track - track)
    (behind ?inner - wagon ?outer - wagon)
    (empty ?track - track)
    (room ?track - track ?places - places))

  (:action drive
    :parameters (?engine - engine ?from - track ?to - track)
    :precondition (and
      (switch ?from ?to)
      (before ?engine ?from))
    :effect (and
      (before ?engine ?to)
      (not (before ?engine ?from))))

  (:action draw
    :parameters
      (?engine - engine ?wagon - wagon ?inner - wagon ?track - track ?more - places ?fewer - places)
    :precondition (and
      (one-fewer ?more ?fewer)
      (before ?engine ?track)
      (light ?engine)
      (outermost ?wagon ?track)
      (behind ?inner ?wagon)
      (room ?track ?fewer))
    :effect (and
      (pulls ?engine ?wagon)
      (outermost ?inner ?track)
      (room ?track ?more)
      (not (light ?engine))
      (not (stands-on ?wagon ?track))
      (not (outermost ?wagon ?track))
      (not (behind ?inner ?wagon))
      (not (room ?track ?fewer))))

  (:action draw-last
    :parameters (?engine - engine ?wagon - wagon ?track - track ?more - places ?fewer - places)
    :precondition (and
      (one-fewer ?more ?fewer)
      (before ?engine ?track)
      (light ?engine)
      (outermost ?wagon ?track)
      (innermost ?wagon ?track)
      (room ?track ?fewer))
    :effect (and
      (pulls ?engine ?wagon)
      (empty ?track)
      (room ?track ?more)
      (not (light ?engine))
      (not (stands-on ?wagon ?track))
      (not (outermost ?wagon ?track))
      (not (innermost ?wagon ?track))
      (not (room ?track ?fewer))))

  (:action push
    :parameters
      (?engine - engine ?wagon - wagon ?inner - wagon ?track - track ?more - places ?fewer - places)
    :precondition (and
      (one-fewer ?more ?fewer)
      (before ?engine ?track)
      (pulls ?engine ?wagon)
      (outermost ?inner ?track)
      (room ?track ?more))
    :effect (and
      (light ?engine)
      (stands-on ?wagon ?track)
      (outermost ?wagon ?track)
      (behind ?inner ?wagon)
      (room ?track ?fewer)
      (not (pulls ?engine ?wagon))
      (not (outermost ?inner ?track))
      (not (room ?track ?more))))

  (:action push-first
    :parameters (?engine - engine ?wagon - wagon ?track - track ?more - places ?fewer - places)
    :precondition (and
      (one-fewer ?more ?fewer)
      (before ?engine ?track)
      (pulls ?engine ?wagon)
      (empty ?track)
      (room ?track ?more))
    :effect (and
      (light ?engine)
      (stands-on ?wagon ?track)
      (outermost ?wagon ?track)
      (innermost ?wagon ?track)
      (room ?track ?fewer)
      (not (pulls ?engine ?wagon))
      (not (empty ?track))
      (not (room ?track ?more)))))
