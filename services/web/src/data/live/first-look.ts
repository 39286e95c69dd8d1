import { signal } from '@preact/signals';

/**
 * Whether what one came for has been drawn, so that everything around it may be: on a slow device, a page that draws all of
 * itself at once shows its messages a second later.
 */
export const isFirstLookOver = signal(false);

export const endFirstLook = (): void => void (isFirstLookOver.value = true);
