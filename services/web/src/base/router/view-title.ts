import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';

/** The title of the current view, as a part of the page's title. */
export const viewTitle = signal('');

/** Gives the page the title of the view that is shown. */
export const useViewTitle = (title: string): void => useEffect(() => void (viewTitle.value = title), [title]);
