import { isBoolean, isNumber, kept } from '../base/functions/kept.ts';

export const sidebarWidths = { least: 200, usual: 264, most: 440 } as const;

/** How wide the sidebar is in this browser, in pixels of a page that nobody has enlarged. */
const width = kept('parley-sidebar-width', sidebarWidths.usual as number, isNumber);

/** Whether the people are shown beside the messages, where there is room for both. */
export const isPeopleColumnOpen = kept('parley-people-column', true, isBoolean);

export const sidebarWidth = (): number => width.value;

export function setSidebarWidth(pixels: number): void {
  width.value = Math.round(Math.min(sidebarWidths.most, Math.max(sidebarWidths.least, pixels)));
}

/** Whether the page is wide enough for a column of people beside the messages. */
export const hasRoomForPeople = (): boolean => matchMedia('(width >= 90rem)').matches;
