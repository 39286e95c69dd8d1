import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

import { root } from './source-files.ts';

/** A style sheet of the web client. */
export interface StyleSheet {
  /** From the root of the checkout. */
  path: string;
  text: string;
}

export interface Declaration {
  property: string;
  value: string;
  /** Selectors and conditions around it, from the outermost. */
  within: readonly string[];
}

const folders = ['services/web/src', 'services/web/gallery'];

/** The folder in which sizes and colors are given names. */
const tokensFolder = 'services/web/src/styles/tokens/';

export const styleSheets: readonly StyleSheet[] = folders
  .flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true }).map((name) => `${folder}/${String(name)}`),
  )
  .filter((path) => path.endsWith('.css'))
  .sort()
  .map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }));

export const isOfTokens = ({ path }: StyleSheet): boolean => path.startsWith(tokensFolder);

/** Returns the declarations of a style sheet, in its order. */
export function declarationsOf({ text }: Pick<StyleSheet, 'text'>): Declaration[] {
  const found: Declaration[] = [];
  const within: string[] = [];
  const parts = text
    .replaceAll(/\/\*[^]*?\*\//g, '')
    .split(/([{};])/)
    .map((part) => part.trim().replaceAll(/\s+/g, ' '));
  for (let at = 0; at + 1 < parts.length; at += 2) {
    const [part = '', end] = [parts[at], parts[at + 1]];
    if (end === '{') within.push(part);
    else {
      const [, property, value] = /^(-{0,2}[\w-]+): (.*)$/.exec(part) ?? [];
      if (property !== undefined && value !== undefined) found.push({ property, value, within: [...within] });
      if (end === '}') within.pop();
    }
  }
  return found;
}

/** What an element looks like: in light or dark, and with as much contrast as somebody asks for. */
export interface Look {
  isDark: boolean;
  hasMoreContrast: boolean;
}

export const looks: readonly (Look & { name: string })[] = [
  { name: 'light', isDark: false, hasMoreContrast: false },
  { name: 'dark', isDark: true, hasMoreContrast: false },
  { name: 'light with more contrast', isDark: false, hasMoreContrast: true },
  { name: 'dark with more contrast', isDark: true, hasMoreContrast: true },
];

const hexadecimal = /^light-dark\((#[\da-f]{6}), (#[\da-f]{6})\)$/;

/** Returns the colors of the tokens as somebody with a look sees them, by their names. */
export function colorsOf(sheets: readonly Pick<StyleSheet, 'text'>[], look: Look): Map<string, string> {
  const colors = new Map<string, string>();
  for (const { property, value, within } of sheets.flatMap(declarationsOf)) {
    const [, light, dark] = hexadecimal.exec(value) ?? [];
    const isOfMore = within.some((condition) => condition.includes('prefers-contrast: more'));
    if (light === undefined || dark === undefined || (isOfMore && !look.hasMoreContrast)) continue;
    colors.set(property, look.isDark ? dark : light);
  }
  return colors;
}

const linear = (channel: number): number =>
  channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4;

function luminance(color: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) =>
    linear(Number.parseInt(color.slice(at, at + 2), 16) / 255),
  );
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** Returns the contrast of two colors as WCAG computes it, from 1 to 21. */
export function contrastOf(one: string, other: string): number {
  const [brighter = 1, darker = 1] = [luminance(one), luminance(other)].sort((a, b) => b - a);
  return (brighter + 0.05) / (darker + 0.05);
}
