import { type SourceFile, importedFiles } from './source-files.ts';

/** An import between two folders that lie beside each other. */
interface Tie {
  from: string;
  to: string;
  /** The file that imports, and what. */
  file: string;
  target: string;
}

/**
 * Circles of folders that lie beside each other, at any depth below a room: each as lines `folder → folder: file imports
 * file`, for all imports that tie it. Folders of which each can be reached from the other are in one circle.
 */
export function circlesOfFolders(room: string, files: readonly SourceFile[]): string[][] {
  const ties = files.flatMap((file) =>
    importedFiles(file).flatMap((target) => tieOf(room, file.path, target)),
  );
  const reachable = reachableOver(ties);
  const isInCircle = ({ from, to }: Tie) => reachable(to).has(from);
  const circles = new Map<string, string[]>();
  for (const tie of ties.filter(isInCircle)) {
    const name = [...reachable(tie.from)]
      .filter((folder) => reachable(folder).has(tie.from))
      .sort()
      .join();
    const lines = circles.get(name) ?? [];
    circles.set(name, [...lines, `${tie.from} → ${tie.to}: ${tie.file} imports ${tie.target}`]);
  }
  return [...circles.values()];
}

/** The folders at which the paths part, if both have one there. */
function tieOf(room: string, file: string, target: string): Tie[] {
  const [source, destination] = [file, target].map((path) => path.slice(room.length + 1).split('/'));
  if (!source || !destination || !target.startsWith(`${room}/`)) return [];
  let depth = 0;
  while (source[depth] === destination[depth] && depth < source.length) depth += 1;
  if (depth >= source.length - 1 || depth >= destination.length - 1) return [];
  const folder = (parts: readonly string[]) => [room, ...parts.slice(0, depth + 1)].join('/');
  return [{ from: folder(source), to: folder(destination), file, target }];
}

/** Which folders can be reached from one by following the ties. */
function reachableOver(ties: readonly Tie[]): (folder: string) => ReadonlySet<string> {
  const next = new Map<string, Set<string>>();
  for (const { from, to } of ties) next.set(from, (next.get(from) ?? new Set()).add(to));
  const known = new Map<string, ReadonlySet<string>>();
  return (folder) => {
    const reached = new Set<string>();
    const waiting = [folder];
    if (known.has(folder)) return known.get(folder) ?? reached;
    for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
      for (const to of next.get(at) ?? []) {
        if (reached.has(to)) continue;
        reached.add(to);
        waiting.push(to);
      }
    }
    known.set(folder, reached);
    return reached;
  };
}
