; Footwear: tasks at the office, gym, forest and beach each ask for their own pair of shoes;
; socks and shoes are changed at home only, and the office also asks for matching socks.
(define (domain footwear)
  (:requirements :strips :typing :negative-preconditions)
  (:types place foot shoe sock)

  (:predicates
    (isred ?sock - sock)
    (isblue ?sock - sock)
    (isplain ?sock - sock)
    (isstriped ?sock - sock)
    (socksmatch ?sock - sock ?other - sock)
    (isdressshoe ?shoe - shoe)
    (issneaker ?shoe - shoe)
    (isboot ?shoe - shoe)
    (issandle ?shoe - shoe)
    (shoeseq ?shoe - shoe ?other - shoe)
    (home ?place - place)
    (office ?place - place)
    (gym ?place - place)
    (forest ?place - place)
    (beach ?place - place)
    (at ?place - place)
    (isbare ?foot - foot)
    (hassock ?foot - foot)
    (hasshoe ?foot - foot)
    (sockfree ?sock - sock)
    (wearingsock ?sock - sock)
    (sockon ?sock - sock ?foot - foot)
    (shoefree ?shoe - shoe)
    (wearingshoe ?shoe - shoe)
    (shoeon ?shoe - shoe ?foot - foot)
    (presentationdoneat ?place - place)
    (workedoutat ?place - place)
    (hikedat ?place - place)
    (swamat ?place - place))

  (:action puton-sock
    :parameters (?foot - foot ?sock - sock ?place - place)
    :precondition (and
      (home ?place)
      (at ?place)
      (isbare ?foot)
      (sockfree ?sock))
    :effect (and
      (sockon ?sock ?foot)
      (wearingsock ?sock)
      (hassock ?foot)
      (not (isbare ?foot))
      (not (sockfree ?sock))))

  (:action remove-sock
    :parameters (?foot - foot ?sock - sock ?place - place)
    :precondition (and
      (home ?place)
      (at ?place)
      (sockon ?sock ?foot))
    :effect (and
      (isbare ?foot)
      (sockfree ?sock)
      (not (sockon ?sock ?foot))
      (not (wearingsock ?sock))
      (not (hassock ?foot))))

  (:action puton-shoe
    :parameters (?foot - foot ?shoe - shoe ?place - place)
    :precondition (and
      (home ?place)
      (at ?place)
      (hassock ?foot)
      (shoefree ?shoe))
    :effect (and
      (shoeon ?shoe ?foot)
      (wearingshoe ?shoe)
      (hasshoe ?foot)
      (not (hassock ?foot))
      (not (shoefree ?shoe))))

  (:action remove-shoe
    :parameters (?foot - foot ?sock - sock ?shoe - shoe ?place - place)
    :precondition (and
      (home ?place)
      (at ?place)
      (shoeon ?shoe ?foot)
      (sockon ?sock ?foot))
    :effect (and
      (shoefree ?shoe)
      (hassock ?foot)
      (wearingsock ?sock)
      (sockon ?sock ?foot)
      (not (shoeon ?shoe ?foot))
      (not (wearingshoe ?shoe))
      (not (hasshoe ?foot))))

  (:action goto-home
    :parameters (?from - place ?to - place)
    :precondition (and
      (home ?to)
      (at ?from))
    :effect (and
      (not (at ?from))
      (at ?to)))

  (:action goto-office
    :parameters (?from - place ?to - place ?left-sock - sock ?right-sock - sock
                 ?left - shoe ?right - shoe)
    :precondition (and
      (office ?to)
      (at ?from)
      (wearingsock ?left-sock)
      (wearingsock ?right-sock)
      (socksmatch ?left-sock ?right-sock)
      (isdressshoe ?left)
      (isdressshoe ?right)
      (wearingshoe ?left)
      (wearingshoe ?right)
      (not (shoeseq ?left ?right)))
    :effect (and
      (presentationdoneat ?to)
      (not (at ?from))
      (at ?to)))

  (:action goto-gym
    :parameters (?from - place ?to - place ?left - shoe ?right - shoe)
    :precondition (and
      (gym ?to)
      (at ?from)
      (issneaker ?left)
      (issneaker ?right)
      (wearingshoe ?left)
      (wearingshoe ?right)
      (not (shoeseq ?left ?right)))
    :effect (and
      (workedoutat ?to)
      (not (at ?from))
      (at ?to)))

  (:action goto-forest
    :parameters (?from - place ?to - place ?left - shoe ?right - shoe)
    :precondition (and
      (forest ?to)
      (at ?from)
      (isboot ?left)
      (isboot ?right)
      (wearingshoe ?left)
      (wearingshoe ?right)
      (not (shoeseq ?left ?right)))
    :effect (and
      (hikedat ?to)
      (not (at ?from))
      (at ?to)))

  (:action goto-beach
    :parameters (?from - place ?to - place ?left - shoe ?right - shoe)
    :precondition (and
      (beach ?to)
      (at ?from)
      (issandle ?left)
      (issandle ?right)
      (wearingshoe ?left)
      (wearingshoe ?right)
      (not (shoeseq ?left ?right)))
    :effect (and
      (swamat ?to)
      (not (at ?from))
      (at ?to))))
