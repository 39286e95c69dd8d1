import { keptNames, toggleName } from '../../base/functions/kept-set.ts';

/** Which parts of the sidebar are not as they are at first. */
const toggled = keptNames('parley-folded');

export const isToggled = (name: string): boolean => toggled.value.includes(name);

export const toggle = (name: string): void => toggleName(toggled, name);
