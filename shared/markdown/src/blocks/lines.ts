import type { StateBlock } from 'markdown-it';

export type BlockRule = (state: StateBlock, startLine: number, endLine: number, silent: boolean) => boolean;

export function lineText(state: StateBlock, line: number): string {
  return state.src.slice((state.bMarks[line] ?? 0) + (state.tShift[line] ?? 0), state.eMarks[line]);
}

export function pushInline(state: StateBlock, content: string): void {
  state.push('paragraph_open', 'p', 1);
  const token = state.push('inline', '', 0);
  token.content = content;
  token.children = [];
  state.push('paragraph_close', 'p', -1);
}

/** Makes a paragraph of lines as they stand. */
export function pushParagraph(state: StateBlock, startLine: number, endLine: number): void {
  const lines = Array.from({ length: endLine - startLine }, (_, index) => lineText(state, startLine + index));
  pushInline(state, lines.join('\n').trim());
  state.line = endLine;
}
