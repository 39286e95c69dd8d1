import { type AlterTableCmd, type Constraint, type Node, loadModule, parseSync } from 'libpg-query';

await loadModule();

interface Statement {
  node: Node;
  /** With the comments before it. */
  text: string;
  isInBlock: boolean;
}

/** What is known at a statement. */
interface Place {
  text: string;
  isOnline: boolean;
  isInBlock: boolean;
  isFirstOfBlock: boolean;
  /** Tables of the same file, which nobody uses yet. */
  created: ReadonlySet<string>;
  /** Columns of which a validated check says that they are not null, as `table.column`. */
  checked: ReadonlySet<string>;
}

/**
 * Returns what in migrations locks a table out for as long as it takes to look at its rows or to write them anew, each as
 * a line with what to do instead. A statement that is meant to is preceded by a line `-- locks: why`.
 */
export function lockingStatements(files: readonly string[]): string[] {
  const checks = new Map<string, string[]>();
  const checked = new Set<string>();
  return files.flatMap((sql) => {
    const isOnline = sql.startsWith('-- online\n');
    const created = new Set<string>();
    let isFirstOfBlock = false;
    return statementsOf(sql).flatMap(({ node, text, isInBlock }) => {
      const place = { text, isOnline, isInBlock, isFirstOfBlock, created, checked };
      isFirstOfBlock = 'TransactionStmt' in node;
      const found = /^\s*-- locks: \S/m.test(text) ? [] : faultsOf(node, place);
      remember(node, created, checks, checked);
      return [...new Set(found)].map((fault) => `${bare(text).slice(0, 80)}: ${fault}`);
    });
  });
}

/** Returns the texts of the statements of a file, as Postgres splits it. */
export function splitByPostgres(sql: string): string[] {
  return statementsOf(sql).map(({ text }) => text);
}

function statementsOf(sql: string): Statement[] {
  const bytes = Buffer.from(sql);
  let isInBlock = false;
  let begin = 0;
  const { stmts = [] } = sql.trim() === '' ? {} : parseSync(sql);
  return stmts.flatMap(({ stmt, stmt_location: at = 0, stmt_len: length }) => {
    if (!stmt) return [];
    const end = length ? at + length : bytes.length;
    // Postgres does not count the comments before a statement to it.
    const text = bytes
      .subarray(begin, end)
      .toString()
      .replace(/^[;\s]+/, '');
    begin = end;
    if ('TransactionStmt' in stmt) isInBlock = stmt.TransactionStmt.kind === 'TRANS_STMT_BEGIN';
    return [{ node: stmt, text, isInBlock }];
  });
}

const bare = (text: string) => text.replaceAll(/--.*$/gm, '').replaceAll(/\s+/g, ' ').trim();

function remember(
  node: Node,
  created: Set<string>,
  checks: Map<string, string[]>,
  checked: Set<string>,
): void {
  if ('CreateStmt' in node) created.add(node.CreateStmt.relation?.relname ?? '');
  if ('CreateTableAsStmt' in node) created.add(node.CreateTableAsStmt.into?.rel?.relname ?? '');
  if (!('AlterTableStmt' in node)) return;
  const table = node.AlterTableStmt.relation?.relname ?? '';
  for (const command of commandsOf(node)) {
    const constraint = constraintOf(command);
    if (constraint?.contype === 'CONSTR_CHECK') {
      const columns = constraint.raw_expr ? columnsNotNull(constraint.raw_expr) : [];
      checks.set(`${table}.${constraint.conname}`, columns);
    }
    if (command.subtype !== 'AT_ValidateConstraint') continue;
    for (const column of checks.get(`${table}.${command.name}`) ?? []) checked.add(`${table}.${column}`);
  }
}

/** Columns that a condition says are not null, if it holds. */
function columnsNotNull(condition: Node): string[] {
  if ('BoolExpr' in condition) {
    return condition.BoolExpr.boolop === 'AND_EXPR'
      ? (condition.BoolExpr.args ?? []).flatMap(columnsNotNull)
      : [];
  }
  if (!('NullTest' in condition) || condition.NullTest.nulltesttype !== 'IS_NOT_NULL') return [];
  return namesIn(condition);
}

function faultsOf(node: Node, place: Place): string[] {
  return [...faultsOfTable(node, place), ...faultsOfRows(node, place), ...faultsOfWhole(node, place)];
}

/** What only small tables may be asked for, or none. */
function faultsOfWhole(node: Node, { isOnline, isInBlock, isFirstOfBlock }: Place): string[] {
  if ('VacuumStmt' in node) return ['leave it to autovacuum'];
  if ('ClusterStmt' in node) return ['it writes the whole table anew'];
  if ('ReindexStmt' in node) return ['build another index concurrently, and drop this one'];
  if ('RefreshMatViewStmt' in node) return ['it reads its query to the end'];
  if ('TruncateStmt' in node) return ['delete in a backfill'];
  if ('DoStmt' in node || 'CallStmt' in node) return ['say in a line what its code locks'];
  if ('LockStmt' in node && !(isOnline && isInBlock && isFirstOfBlock)) {
    return ['lock tables at the beginning of a block of an online migration'];
  }
  if ('TransactionStmt' in node && !isOnline) return ['it is in a transaction already'];
  return [];
}

/** Statements over rows of tables that are there already. */
function faultsOfRows(node: Node, { text, isOnline, isInBlock, created }: Place): string[] {
  const isBackfill = /^\s*-- backfill \w+(?: \w+)?$/m.test(text);
  const portions = namesIn(node).filter((name) => name === 'portion').length;
  if (isBackfill) {
    return isOnline && !isInBlock && portions > 0
      ? []
      : ['a backfill has `portion` in its condition, and stands outside of blocks of an online migration'];
  }
  const changed = changedTables(node).filter((table) => !created.has(table));
  return changed.map((table) => `rows of ${table} are changed in a backfill`);
}

/** The tables of which a statement changes rows, wherever it does. What a function does when it is called is not looked at. */
function changedTables(node: unknown): string[] {
  if (typeof node !== 'object' || node === null) return [];
  return Object.entries(node).flatMap(([name, value]: [string, unknown]) => {
    const isChange = ['UpdateStmt', 'DeleteStmt', 'MergeStmt'].includes(name);
    const below = name === 'CreateFunctionStmt' ? [] : changedTables(value);
    return isChange ? [relationOf(value), ...below] : below;
  });
}

const relationOf = (statement: unknown) =>
  (statement as { relation?: { relname?: string } }).relation?.relname ?? '';

function faultsOfTable(node: Node, place: Place): string[] {
  if ('IndexStmt' in node) {
    const { concurrent, idxname, relation } = node.IndexStmt;
    if (place.created.has(relation?.relname ?? '')) return [];
    if (!concurrent) return ['create the index concurrently, in an online migration'];
    return [...outsideFaults(place), ...(idxname ? [] : ['name the index'])];
  }
  if ('DropStmt' in node) return node.DropStmt.concurrent ? outsideFaults(place) : [];
  if (!('AlterTableStmt' in node) || node.AlterTableStmt.objtype !== 'OBJECT_TABLE') return [];
  const table = node.AlterTableStmt.relation?.relname ?? '';
  if (place.created.has(table)) return [];
  const commands = commandsOf(node);
  return commands.flatMap((command) => faultsOfCommand(command, table, commands.length === 1, place));
}

const outsideFaults = ({ isOnline, isInBlock }: Place) =>
  isOnline && !isInBlock ? [] : ['this runs outside of blocks of an online migration'];

const commandsOf = (node: Node): AlterTableCmd[] =>
  'AlterTableStmt' in node
    ? (node.AlterTableStmt.cmds ?? []).flatMap((one) => ('AlterTableCmd' in one ? [one.AlterTableCmd] : []))
    : [];

const constraintOf = ({ def }: AlterTableCmd): Constraint | undefined =>
  def && 'Constraint' in def ? def.Constraint : undefined;

/** What Postgres writes a table anew for. */
const rewriting = new Set([
  'AT_AlterColumnType',
  'AT_SetExpression',
  'AT_SetTableSpace',
  'AT_SetLogged',
  'AT_SetUnLogged',
  'AT_SetAccessMethod',
]);

function faultsOfCommand(command: AlterTableCmd, table: string, isAlone: boolean, place: Place): string[] {
  const { subtype, name, def } = command;
  if (rewriting.has(subtype ?? '')) {
    return ['it writes the table anew: add a column, fill it in a backfill, and let them change places'];
  }
  if (subtype === 'AT_AttachPartition') return ['it looks at all rows'];
  if (subtype === 'AT_SetNotNull' && !place.checked.has(`${table}.${name}`)) {
    return [`validate a check (${name} is not null) before`];
  }
  if (subtype === 'AT_ValidateConstraint') {
    return isAlone ? outsideFaults(place) : ['validate each constraint in a statement of its own'];
  }
  const constraint = constraintOf(command);
  if (subtype === 'AT_AddConstraint' && constraint) return faultsOfConstraint(constraint);
  if (subtype === 'AT_AddColumn' && def && 'ColumnDef' in def) {
    const type = namesIn(def.ColumnDef.typeName).at(-1) ?? '';
    const constraints = (def.ColumnDef.constraints ?? []).flatMap((one) =>
      'Constraint' in one ? [one.Constraint] : [],
    );
    const isSerial = /serial/.test(type);
    return isSerial
      ? ['its default differs from row to row']
      : constraints.flatMap((one) => faultsOfNew(one, constraints));
  }
  return [];
}

function faultsOfConstraint({ contype, skip_validation, indexname }: Constraint): string[] {
  switch (contype) {
    case 'CONSTR_CHECK':
    case 'CONSTR_FOREIGN':
    case 'CONSTR_NOTNULL':
      return skip_validation
        ? []
        : ['add the constraint as not valid, and validate it in an online migration'];
    case 'CONSTR_PRIMARY':
    case 'CONSTR_UNIQUE':
      return indexname ? [] : ['create a unique index concurrently, and add the constraint using it'];
    default:
      return ['it looks at all rows'];
  }
}

/** What a new column has. Without a default, all its values are null, and there is nothing to check. */
function faultsOfNew({ contype, raw_expr }: Constraint, all: readonly Constraint[]): string[] {
  switch (contype) {
    case 'CONSTR_DEFAULT':
      return isVolatile(raw_expr) ? ['its default may differ from row to row: fill it in a backfill'] : [];
    case 'CONSTR_IDENTITY':
    case 'CONSTR_GENERATED':
      return ['it writes the table anew'];
    case 'CONSTR_PRIMARY':
    case 'CONSTR_UNIQUE':
      return ['create a unique index concurrently, and add the constraint using it'];
    case 'CONSTR_CHECK':
      return ['add the constraint as not valid, and validate it in an online migration'];
    case 'CONSTR_FOREIGN':
      return all.some((one) => one.contype === 'CONSTR_DEFAULT')
        ? ['a default is looked up for all rows']
        : [];
    default:
      return [];
  }
}

/** Functions that give the same value for all rows of a statement. */
const stable = new Set(['now', 'transaction_timestamp', 'statement_timestamp']);

const isVolatile = (expression: unknown): boolean => {
  if (typeof expression !== 'object' || expression === null) return false;
  return Object.entries(expression).some(([name, value]: [string, unknown]) => {
    if (name !== 'FuncCall') return isVolatile(value);
    const called = namesIn((value as { funcname?: unknown }).funcname).at(-1) ?? '';
    return !stable.has(called) || isVolatile((value as { args?: unknown }).args);
  });
};

/** The names that stand in a part of a statement, in their order. */
function namesIn(node: unknown): string[] {
  if (typeof node !== 'object' || node === null) return [];
  return Object.entries(node).flatMap(([name, value]: [string, unknown]) =>
    name === 'sval' && typeof value === 'string' ? [value] : namesIn(value),
  );
}
