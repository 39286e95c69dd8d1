import { RE2JS, RE2JSException } from 're2js';

import { findVariables } from './url-template.ts';

/** How much a pattern may ask for: instructions of its program. */
const programMax = 1000;

/** What is wrong with a linkifier, and with which part of it; `__all__` where the parts do not fit. */
export interface LinkifierError {
  field: 'pattern' | 'url_template' | '__all__';
  text: string;
}

/** Null where the linkifier can be used. */
export function checkLinkifier(pattern: string, urlTemplate: string): LinkifierError | null {
  const compiled = compilePattern(pattern);
  if (typeof compiled === 'string') {
    return { field: 'pattern', text: `Bad regular expression: ${compiled}` };
  }
  const variables = findVariables(urlTemplate);
  if (!variables) return { field: 'url_template', text: 'Invalid URL template.' };
  const groups = Object.keys(compiled.namedGroups());
  const unknown = variables.find((name) => !groups.includes(name));
  if (unknown !== undefined) {
    return {
      field: '__all__',
      text: `Group '${unknown}' in URL template is not present in linkifier pattern.`,
    };
  }
  const unused = groups.find((name) => !variables.includes(name));
  if (unused === undefined) return null;
  return {
    field: '__all__',
    text: `Group '${unused}' in linkifier pattern is not present in URL template.`,
  };
}

/** The compiled pattern, or what is wrong with it. */
export function compilePattern(pattern: string): RE2JS | string {
  try {
    const compiled = RE2JS.compile(pattern);
    return compiled.programSize() > programMax ? 'it is too large' : compiled;
  } catch (error) {
    if (error instanceof RE2JSException) return error.message;
    throw error;
  }
}
