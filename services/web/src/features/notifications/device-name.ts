import { deviceText } from '../../strings/settings.ts';

type Name = keyof typeof deviceText.names;

/** Browsers and systems by what they say of themselves. Others pretend to be those further down. */
const browsers: readonly [RegExp, Name][] = [
  [/\bEdg(?:A|iOS)?\//, 'edge'],
  [/\bOPR\//, 'opera'],
  [/\b(?:Firefox|FxiOS)\//, 'firefox'],
  [/(?:Chrome|CriOS)\//, 'chrome'],
  [/\bSafari\//, 'safari'],
];
const systems: readonly [RegExp, Name][] = [
  [/\bAndroid\b/, 'android'],
  [/\b(?:iPhone|iPad)\b/, 'ios'],
  [/\bWindows\b/, 'windows'],
  [/\bMac OS X\b/, 'macos'],
  [/\bCrOS\b/, 'chromeos'],
  [/\bLinux\b/, 'linux'],
];

/** Returns what a person knows a browser by. */
export function deviceName(userAgent: string = navigator.userAgent): string {
  const nameIn = (patterns: readonly [RegExp, Name][]): string | null => {
    const found = patterns.find(([pattern]) => pattern.test(userAgent));
    return found ? deviceText.names[found[1]] : null;
  };
  const [browser, system] = [nameIn(browsers) ?? deviceText.browser, nameIn(systems)];
  return system === null ? browser : deviceText.name(browser, system);
}
