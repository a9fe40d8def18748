; Logistics: trucks carry packages within a city, airplanes between the airports of cities.
(define (domain logistics-strips)
  (:requirements :strips)

  (:predicates
    (obj ?package)
    (truck ?truck)
    (airplane ?plane)
    (city ?city)
    (location ?site)
    (airport ?site)
    (in-city ?site ?city)
    (at ?thing ?site)
    (in ?package ?vehicle))

  (:action drive-truck
    :parameters (?truck ?site ?other ?city)
    :precondition (and
      (truck ?truck)
      (location ?site)
      (location ?other)
      (city ?city)
      (in-city ?site ?city)
      (in-city ?other ?city)
      (at ?truck ?site))
    :effect (and
      (at ?truck ?other)
      (not (at ?truck ?site))))

  (:action fly-airplane
    :parameters (?plane ?site ?other)
    :precondition (and
      (airplane ?plane)
      (airport ?site)
      (airport ?other)
      (at ?plane ?site))
    :effect (and
      (at ?plane ?other)
      (not (at ?plane ?site))))

  (:action load-truck
    :parameters (?package ?truck ?site)
    :precondition (and
      (obj ?package)
      (truck ?truck)
      (location ?site)
      (at ?truck ?site)
      (at ?package ?site))
    :effect (and
      (in ?package ?truck)
      (not (at ?package ?site))))

  (:action unload-truck
    :parameters (?package ?truck ?site)
    :precondition (and
      (obj ?package)
      (truck ?truck)
      (location ?site)
      (at ?truck ?site)
      (in ?package ?truck))
    :effect (and
      (at ?package ?site)
      (not (in ?package ?truck))))

  (:action load-airplane
    :parameters (?package ?plane ?site)
    :precondition (and
      (obj ?package)
      (airplane ?plane)
      (location ?site)
      (at ?plane ?site)
      (at ?package ?site))
    :effect (and
      (in ?package ?plane)
      (not (at ?package ?site))))

  (:action unload-airplane
    :parameters (?package ?plane ?site)
    :precondition (and
      (obj ?package)
      (airplane ?plane)
      (location ?site)
      (at ?plane ?site)
      (in ?package ?plane))
    :effect (and
      (at ?package ?site)
      (not (in ?package ?plane)))))
