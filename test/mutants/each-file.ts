import { configureGlobal } from 'fast-check';

/** That a fault was noticed is enough: the search for its smallest example would take most of the time. */
configureGlobal({ endOnFailure: true });
