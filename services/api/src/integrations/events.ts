/** Whether a name is of a pattern, in which `*` stands for any characters. */
function matches(name: string, pattern: string): boolean {
  const [start = '', ...rest] = pattern.split('*');
  const end = rest.pop();
  if (end === undefined) return name === pattern;
  if (!name.startsWith(start)) return false;
  let at = start.length;
  for (const part of rest) {
    const found = name.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  return name.length - end.length >= at && name.endsWith(end);
}

interface Choice {
  only: readonly string[] | undefined;
  exclude: readonly string[] | undefined;
}

/** Returns whether somebody who has chosen types of events by patterns wants to be told of one. */
export const isChosen = (event: string, { only, exclude }: Choice): boolean =>
  (only === undefined || only.some((pattern) => matches(event, pattern))) &&
  !exclude?.some((pattern) => matches(event, pattern));
