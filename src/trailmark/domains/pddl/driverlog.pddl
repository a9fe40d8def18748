; Driverlog: drivers walk on paths and drive trucks on links; trucks carry packages.
(define (domain driverlog)
  (:requirements :strips :typing)
  (:types
    locatable location - object
    obj truck driver - locatable)

  (:predicates
    (link ?here - location ?there - location)
    (path ?here - location ?there - location)
    (at ?thing - locatable ?here - location)
    (in ?package - obj ?truck - truck)
    (driving ?driver - driver ?truck - truck)
    (empty ?truck - truck))

  (:action walk
    :parameters (?driver - driver ?here - location ?there - location)
    :precondition (and
      (path ?here ?there)
      (at ?driver ?here))
    :effect (and
      (at ?driver ?there)
      (not (at ?driver ?here))))

  (:action board-truck
    :parameters (?driver - driver ?truck - truck ?here - location)
    :precondition (and
      (at ?driver ?here)
      (at ?truck ?here)
      (empty ?truck))
    :effect (and
      (driving ?driver ?truck)
      (not (at ?driver ?here))
      (not (empty ?truck))))

  (:action disembark-truck
    :parameters (?driver - driver ?truck - truck ?here - location)
    :precondition (and
      (driving ?driver ?truck)
      (at ?truck ?here))
    :effect (and
      (at ?driver ?here)
      (empty ?truck)
      (not (driving ?driver ?truck))))

  (:action drive-truck
    :parameters (?truck - truck ?here - location ?there - location ?driver - driver)
    :precondition (and
      (link ?here ?there)
      (driving ?driver ?truck)
      (at ?truck ?here))
    :effect (and
      (at ?truck ?there)
      (not (at ?truck ?here))))

  (:action load-truck
    :parameters (?package - obj ?truck - truck ?here - location)
    :precondition (and
      (at ?truck ?here)
      (at ?package ?here))
    :effect (and
      (in ?package ?truck)
      (not (at ?package ?here))))

  (:action unload-truck
    :parameters (?package - obj ?truck - truck ?here - location)
    :precondition (and
      (at ?truck ?here)
      (in ?package ?truck))
    :effect (and
      (at ?package ?here)
      (not (in ?package ?truck)))))
