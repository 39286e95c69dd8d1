import { RE2JS, RE2JSException } from 're2js';

import { findVariables } from './url-template.ts';

/** The most instructions of a compiled pattern. */
const programMax = 1000;

/** An error in a linkifier and the field that has it; `__all__` if the pattern and the template do not match. */
export interface LinkifierError {
  field: 'pattern' | 'url_template' | '__all__';
  text: string;
}

/** Returns the first error in a linkifier, or null if it can be used. */
export function checkLinkifier(pattern: string, urlTemplate: string): LinkifierError | null {
  const compiled = compilePattern(pattern);
  if (typeof compiled === 'string') {
    return { field: 'pattern', text: `Bad regular expression: ${compiled}` };
  }
  const variables = findVariables(urlTemplate);
  if (!variables) return { field: 'url_template', text: 'Enter a valid URL template.' };
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

/** Returns the compiled pattern, or a message that says what is wrong with it. */
export function compilePattern(pattern: string): RE2JS | string {
  try {
    const compiled = RE2JS.compile(pattern);
    return compiled.programSize() > programMax ? 'it is too large' : compiled;
  } catch (error) {
    if (error instanceof RE2JSException) return error.message;
    throw error;
  }
}
