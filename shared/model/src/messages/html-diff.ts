import { takeBreak } from '@parley/kit';
import { escapeHtml } from '@parley/markdown';
import { diffArrays } from 'diff';
import { type DefaultTreeAdapterTypes as Tree, parseFragment, serializeOuter } from 'parse5';

/** The classes with which clients show what was added and what was taken away. */
const marks = { added: 'highlight_text_inserted', removed: 'highlight_text_deleted' } as const;

type Mark = keyof typeof marks;

/** Above one of these, the difference is a replacement of the whole: a finer one would cost too much. */
const charactersMax = 60_000;
const changesMax = 250;

/** An element of one of the versions, or a mark. */
interface Element {
  name: string;
  open: string;
}

/** A word with the spaces behind it, or a picture, a formula or the like, which is compared as a whole. */
interface Leaf {
  /** Leaves are the same if their keys are. */
  key: string;
  html: string;
  /** False for what is not seen. */
  isVisible: boolean;
  /** The elements around it, the outermost first. */
  path: readonly Element[];
}

const voids = new Set(['br', 'hr', 'img', 'input', 'wbr', 'source']);
const wholes = new Set(['audio', 'iframe', 'math', 'svg', 'video']);
const wholeClass = /(?:^| )(?:katex|katex-display|katex-error|emoji)(?: |$)/;

/**
 * Returns the difference of two rendered versions of a message, as HTML of the newer one in which additions are marked
 * and what was taken away stands, marked, in its place. Elements are those of the versions, nested as there.
 */
export async function diffRendered(before: string, after: string): Promise<string> {
  // Several versions of a message are compared for one request: others take turns with them.
  await takeBreak();
  return before.length + after.length > charactersMax ? replacement(before, after) : compare(before, after);
}

const replacement = (before: string, after: string) =>
  `<div class="${marks.removed}">${before}</div><div class="${marks.added}">${after}</div>`;

function compare(before: string, after: string): string {
  const [old, current] = [listLeaves(before), listLeaves(after)];
  const changes = diffArrays(old, current, {
    comparator: (one, other) => one.key === other.key,
    maxEditLength: changesMax,
  });
  if (!changes) return replacement(before, after);

  const counterparts = new Map<Element, Element>();
  let [oldAt, newAt] = [0, 0];
  for (const { added, removed, value } of changes) {
    if (!added && !removed) {
      for (const index of value.keys()) pair(counterparts, old[oldAt + index], current[newAt + index]);
    }
    if (!added) oldAt += value.length;
    if (!removed) newAt += value.length;
  }

  const writer = createWriter();
  newAt = 0;
  for (const { added, removed, value } of changes) {
    if (removed) {
      for (const leaf of value) {
        // What is taken away stands in those elements that are still there.
        const path = leaf.path.map((element) => counterparts.get(element) ?? element);
        if (leaf.isVisible) writer.write({ ...leaf, path }, 'removed');
      }
      continue;
    }
    for (const leaf of current.slice(newAt, newAt + value.length)) {
      writer.write(leaf, added && leaf.isVisible ? 'added' : null);
    }
    newAt += value.length;
  }
  return writer.end();
}

/** Elements around a leaf of both versions are the same, from the outermost on, as far as their names are. */
function pair(counterparts: Map<Element, Element>, old: Leaf | undefined, current: Leaf | undefined): void {
  for (const [depth, element] of (old?.path ?? []).entries()) {
    const counterpart = current?.path[depth];
    if (element.name !== counterpart?.name) return;
    if (!counterparts.has(element)) counterparts.set(element, counterpart);
  }
}

function listLeaves(html: string): Leaf[] {
  const leaves: Leaf[] = [];
  const add = (key: string, text: string, isVisible: boolean, path: readonly Element[]) =>
    leaves.push({ key, html: text, isVisible, path });

  function walk(node: Tree.ChildNode, path: readonly Element[], link: string): void {
    if ('value' in node) {
      for (const text of node.value.match(/\S+\s*|\s+/g) ?? []) {
        add(`${text.trim()} ${link}`, escapeHtml(text), text.trim() !== '', path);
      }
      return;
    }
    if (!('attrs' in node)) return;
    const attribute = (name: string) => node.attrs.find((one) => one.name === name)?.value ?? '';
    const isWhole =
      voids.has(node.nodeName) || wholes.has(node.nodeName) || wholeClass.test(attribute('class'));
    if (isWhole || node.childNodes.length === 0) {
      const whole = serializeOuter(node);
      add(whole, whole, isWhole && node.nodeName !== 'br', path);
      return;
    }
    const opening = serializeOuter({ ...node, childNodes: [] });
    const element = { name: node.nodeName, open: opening.slice(0, opening.lastIndexOf('</')) };
    const target = node.nodeName === 'a' ? attribute('href') : link;
    for (const child of node.childNodes) walk(child, [...path, element], target);
  }

  for (const node of parseFragment(html).childNodes) walk(node, [], '');
  return leaves;
}

/** Writes leaves with the elements around them: each is closed when the first leaf comes that is not in it. */
function createWriter() {
  const parts: string[] = [];
  let open: readonly Element[] = [];
  let last: { kind: Mark; element: Element } | null = null;

  function moveTo(path: readonly Element[]): void {
    let shared = 0;
    while (shared < open.length && open[shared] === path[shared]) shared += 1;
    for (const { name } of open.slice(shared).toReversed()) parts.push(`</${name}>`);
    for (const element of path.slice(shared)) parts.push(element.open);
    open = path;
  }

  return {
    write({ html, path }: Leaf, kind: Mark | null): void {
      if (kind === null) {
        last = null;
        moveTo(path);
      } else {
        if (last?.kind !== kind) {
          last = { kind, element: { name: 'span', open: `<span class="${marks[kind]}">` } };
        }
        moveTo([...path, last.element]);
      }
      parts.push(html);
    },
    end(): string {
      moveTo([]);
      return parts.join('');
    },
  };
}
