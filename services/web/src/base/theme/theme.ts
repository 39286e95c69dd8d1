import { effect, signal } from '@preact/signals';

/** The values of the user setting `color_scheme`. */
export const colorSchemes = { system: 1, dark: 2, light: 3 } as const;

export type ColorScheme = (typeof colorSchemes)[keyof typeof colorSchemes];

const key = 'parley-color-scheme';
const remembered = Number(localStorage.getItem(key));

/** The theme that the person has chosen. It is stored in the browser, so that the page begins with it. */
export const colorScheme = signal<ColorScheme>(remembered === 2 || remembered === 3 ? remembered : 1);

/** Keeps the page in the chosen colors. */
export function followColorScheme(): void {
  effect(() => {
    const { dataset } = document.documentElement;
    if (colorScheme.value === colorSchemes.system) delete dataset['theme'];
    else dataset['theme'] = colorScheme.value === colorSchemes.dark ? 'dark' : 'light';
    localStorage.setItem(key, String(colorScheme.value));
  });
}
