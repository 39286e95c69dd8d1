import { parseAst } from 'vitest/node';

import type { SourceFile } from './source-files.ts';

/** A variable, and the function that declares it. */
interface Binding {
  name: string;
  owner: Node;
  isLet: boolean;
  /** A function inside the one that declares it gives it another value. */
  isShared: boolean;
}

interface Node {
  type: string;
  start: number;
  [field: string]: unknown;
}

interface Scope {
  bindings: Map<string, Binding>;
  /** The function that the scope is in. */
  owner: Node;
  outer: Scope | null;
}

/**
 * Functions (or modules) whose inner functions change that many of their variables or more, as `file:line: names`. Such
 * a closure is an object without a name for what it keeps.
 */
export function statefulClosures({ path, text }: SourceFile, variablesMin: number): string[] {
  const program = asNode(parseAst(text, { lang: path.endsWith('x') ? 'tsx' : 'ts' }, path));
  const shared = new Map<Node, string[]>();
  for (const { owner, name } of sharedBindings(program)) {
    shared.set(owner, [...(shared.get(owner) ?? []), name]);
  }
  return [...shared]
    .filter(([, names]) => names.length >= variablesMin)
    .map(([{ start }, names]) => `${path}:${text.slice(0, start).split('\n').length}: ${names.join(', ')}`);
}

/** Safe: every node of the parser has these fields, and all are visited by their names. */
const asNode = (node: ReturnType<typeof parseAst>): Node => node as unknown as Node;

function sharedBindings(program: Node): Binding[] {
  const all: Binding[] = [];

  function visit(node: Node, outer: Scope): void {
    const scope = scopeOf(node, outer);
    if (scope !== outer) all.push(...scope.bindings.values());
    for (const name of assignedNames(node)) {
      const binding = find(name, scope);
      if (binding && binding.owner !== scope.owner) binding.isShared = true;
    }
    for (const child of childrenOf(node)) visit(child, scope);
  }

  const nowhere: Scope = { bindings: new Map(), owner: program, outer: null };
  visit(program, nowhere);
  return all.filter(({ isLet, isShared }) => isLet && isShared);
}

function find(name: string, scope: Scope): Binding | undefined {
  for (let at: Scope | null = scope; at; at = at.outer) {
    const binding = at.bindings.get(name);
    if (binding) return binding;
  }
  return undefined;
}

const isFunction = ({ type }: Node) =>
  type === 'FunctionDeclaration' || type === 'FunctionExpression' || type === 'ArrowFunctionExpression';

/** The scope that a node opens, with what is declared right in it; that outside if it opens none. */
function scopeOf(node: Node, outer: Scope): Scope {
  const declarations: Node[] = [];
  if (isFunction(node)) declarations.push(...nodesIn(node['params']));
  else if (node.type === 'Program' || node.type === 'BlockStatement')
    declarations.push(...nodesIn(node['body']));
  else if (node.type.startsWith('For')) declarations.push(...nodesIn([node['init'] ?? node['left']]));
  else if (node.type === 'SwitchCase') declarations.push(...nodesIn(node['consequent']));
  else return outer;
  const owner = isFunction(node) || node.type === 'Program' ? node : outer.owner;
  const scope: Scope = { bindings: new Map(), owner, outer };
  for (const declaration of declarations) {
    const isLet = declaration.type === 'VariableDeclaration' && declaration['kind'] === 'let';
    for (const name of declaredNames(declaration, isFunction(node))) {
      scope.bindings.set(name, { name, owner, isLet, isShared: false });
    }
  }
  return scope;
}

function declaredNames(node: Node, isParameter: boolean): string[] {
  if (isParameter) return namesIn(node);
  if (node.type.startsWith('Export'))
    return nodesIn([node['declaration']]).flatMap((one) => declaredNames(one, false));
  if (node.type === 'VariableDeclaration')
    return nodesIn(node['declarations']).flatMap((one) => nodesIn([one['id']]).flatMap(namesIn));
  if (/^(Function|Class)Declaration$/.test(node.type)) return nodesIn([node['id']]).flatMap(namesIn);
  return [];
}

/** What a node gives a value. */
function assignedNames(node: Node): string[] {
  if (node.type === 'AssignmentExpression') return nodesIn([node['left']]).flatMap(namesIn);
  if (node.type === 'UpdateExpression') return nodesIn([node['argument']]).flatMap(namesIn);
  if (/^For(In|Of)Statement$/.test(node.type))
    return nodesIn([node['left']])
      .filter(({ type }) => type !== 'VariableDeclaration')
      .flatMap(namesIn);
  return [];
}

/** The names in a pattern: a name, or what an array or an object is taken apart into. */
function namesIn(pattern: Node): string[] {
  switch (pattern.type) {
    case 'Identifier':
      return [String(pattern['name'])];
    case 'ArrayPattern':
      return nodesIn(pattern['elements']).flatMap(namesIn);
    case 'ObjectPattern':
      return nodesIn(pattern['properties']).flatMap(namesIn);
    case 'Property':
      return nodesIn([pattern['value']]).flatMap(namesIn);
    case 'AssignmentPattern':
      return nodesIn([pattern['left']]).flatMap(namesIn);
    case 'RestElement':
      return nodesIn([pattern['argument']]).flatMap(namesIn);
    default:
      return [];
  }
}

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string';

const nodesIn = (value: unknown): Node[] => (Array.isArray(value) ? value : []).filter(isNode);

const childrenOf = (node: Node): Node[] =>
  Object.values(node).flatMap((value) => (Array.isArray(value) ? nodesIn(value) : nodesIn([value])));
