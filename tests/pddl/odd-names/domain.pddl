(define (domain net-2.0)
  (:requirements :strips :typing)
  (:types host.type link_type)
  (:constants gw.local - host.type)
  (:predicates (up-link ?h.1 ?h-2 - host.type) (has.token ?h.1 - host.type) (1st))
  (:action pass.on
    :parameters (?from.host ?to-host - host.type)
    :precondition (and (up-link ?from.host ?to-host) (has.token ?from.host))
    :effect (and (not (has.token ?from.host)) (has.token ?to-host) (1st))))
