const tabWidth = 4;

function withoutTabs(line: string): string {
  if (!line.includes('\t')) return line;
  let [text, column] = ['', 0];
  for (const character of line) {
    const width = character === '\t' ? tabWidth - (column % tabWidth) : 1;
    text += character === '\t' ? ' '.repeat(width) : character;
    column += width;
  }
  return text;
}

/**
 * Returns code as it is shown: without blank lines at its ends and spaces at the ends of lines, with spaces instead of
 * tabs.
 */
export function tidyCode(code: string): string {
  const lines = code.split('\n').map((line) => withoutTabs(line.trimEnd()));
  const isText = (line: string) => line !== '';
  return lines.slice(lines.findIndex(isText), lines.findLastIndex(isText) + 1).join('\n');
}
