/** A claim, and the command that tries to refute it. */
export interface Proof {
  name: string;
  /** A sentence without its full stop: the README's table has some of them. */
  claim: string;
  /** An npm script. It takes --json, and prints what it concludes as the last line. */
  script: string;
  /** Small parameters: the night runs every proof. */
  args?: readonly string[];
  /** Whoever takes longer hangs. */
  minutesMax: number;
}

/** Every command that proves something, in the order in which the night runs them. */
export const proofs: readonly Proof[] = [
  {
    name: 'monitoring',
    claim: 'The alert rules fire when they should, and only then',
    script: 'monitoring:check',
    minutesMax: 10,
  },
  {
    name: 'examples',
    claim: 'The examples run as their headers say',
    script: 'examples',
    minutesMax: 15,
  },
  {
    name: 'clients',
    claim: 'Programs and libraries of others work unmodified',
    script: 'clients',
    minutesMax: 15,
  },
  {
    name: 'upgrade',
    claim: 'Old and new nodes serve side by side, without a loss',
    script: 'upgrade',
    minutesMax: 45,
  },
  {
    name: 'online',
    claim: 'A large table is changed while clients send, whatever is killed',
    script: 'upgrade',
    args: ['--online'],
    minutesMax: 30,
  },
  {
    name: 'drill',
    claim: 'A database and its files come back from their backup',
    script: 'drill',
    minutesMax: 15,
  },
  {
    name: 'drill-pgbackrest',
    claim: 'They come back from a repository of pgBackRest as well',
    script: 'drill',
    args: ['--tool', 'pgbackrest'],
    minutesMax: 15,
  },
  {
    name: 'drill-mistake',
    claim: 'A database goes back to the moment before a mistake',
    script: 'drill',
    args: ['--mistake'],
    minutesMax: 15,
  },
  {
    name: 'drill-upgrade',
    claim: 'Postgres gets a new major version, and no client notices',
    script: 'drill',
    args: ['--upgrade'],
    minutesMax: 15,
  },
  {
    name: 'audit',
    claim: 'No package has a known weakness that matters here',
    script: 'audit',
    minutesMax: 10,
  },
  {
    name: 'commits',
    claim: 'Every version and every commit since the last compiles',
    script: 'commits',
    minutesMax: 60,
  },
  {
    name: 'chaos',
    claim: 'Every client hears everything once, whatever dies',
    script: 'chaos',
    args: ['--matrix', '--seeds', '1', '--seconds', '8'],
    minutesMax: 60,
  },
  {
    name: 'simulate',
    claim: 'What was acknowledged is heard, or the client is told, in any order of faults',
    script: 'simulate',
    args: ['--schedules', '50000'],
    minutesMax: 60,
  },
  {
    name: 'burst',
    claim: 'What is scheduled is sent once, however much is due',
    script: 'chaos',
    args: ['--scenario', 'burst', '--scenario', 'outage', '--queues', '50'],
    minutesMax: 20,
  },
  {
    name: 'load',
    claim: 'Thousands of clients are served, and hear what the log says',
    script: 'load',
    args: ['--pollers', '2000', '--seconds', '30'],
    minutesMax: 20,
  },
  {
    name: 'k6',
    claim: 'The same load by k6 meets no error',
    script: 'load:k6',
    minutesMax: 20,
  },
  {
    name: 'abuse',
    claim: 'Nobody pays for what a hostile account asks for',
    script: 'load',
    args: ['--scenario', 'abuse', '--rounds', '2'],
    minutesMax: 40,
  },
  {
    name: 'bench-subscribers',
    claim: 'A send costs the same for any number of subscribers',
    script: 'bench',
    args: ['subscribers'],
    minutesMax: 20,
  },
  {
    name: 'bench-fanout',
    claim: 'Delivering costs less than a bare Node server',
    script: 'bench',
    args: ['fanout'],
    minutesMax: 15,
  },
  {
    name: 'bench-memory',
    claim: 'A poll that waits takes less memory than in a bare Node server',
    script: 'bench',
    args: ['memory'],
    minutesMax: 15,
  },
  {
    name: 'bench-sends',
    claim: 'Sends keep pace with plain inserts',
    script: 'bench',
    args: ['sends', 'costs'],
    minutesMax: 20,
  },
  {
    name: 'bench-heartbeats',
    claim: 'Heartbeats are spread evenly',
    script: 'bench',
    args: ['heartbeats'],
    minutesMax: 15,
  },
  {
    name: 'bench-texts',
    claim: 'No text takes more than its length in time',
    script: 'bench',
    args: ['markdown', 'linkifiers'],
    minutesMax: 15,
  },
  {
    name: 'bench-reads',
    claim: 'What a read costs does not follow the history',
    script: 'bench',
    args: ['register', 'history', 'groups'],
    minutesMax: 40,
  },
  {
    name: 'bench-large-organizations',
    claim: 'Joining, marking as read and presence cost what changes',
    script: 'bench',
    args: ['joins', 'marks', 'presence'],
    minutesMax: 40,
  },
  {
    name: 'bench-growth',
    claim: 'What a request costs does not follow what else there is',
    script: 'bench',
    args: ['growth'],
    minutesMax: 20,
  },
  {
    name: 'bench-alone',
    claim: 'Whoever is alone waits for nobody',
    script: 'bench',
    args: ['alone'],
    minutesMax: 15,
  },
  {
    name: 'bench-storm',
    claim: 'Ten thousand clients register at once',
    script: 'bench',
    args: ['register-storm'],
    minutesMax: 30,
  },
  {
    name: 'bench-large',
    claim: 'A hundred thousand people are registered with, and nobody else waits',
    script: 'bench',
    args: ['large'],
    minutesMax: 30,
  },
  {
    name: 'bench-rings',
    claim: 'A queue node that follows 2 000 full organizations keeps to its memory',
    script: 'bench',
    args: ['rings'],
    minutesMax: 40,
  },
  {
    name: 'bench-searches',
    claim: 'Who searches for what is everywhere finds it at once, and others send meanwhile',
    script: 'bench',
    args: ['searches', '--messages', '200000'],
    minutesMax: 30,
  },
  {
    name: 'bench-exports',
    claim: 'An organization comes back from its export as it was',
    script: 'bench',
    args: ['exports', '--messages', '20000'],
    minutesMax: 30,
  },
  {
    name: 'contract',
    claim: 'Every statement of the API’s contract has a test',
    script: 'contract',
    minutesMax: 40,
  },
  {
    name: 'openapi',
    claim: 'Every reply is as the OpenAPI document says',
    script: 'openapi',
    args: ['--check'],
    minutesMax: 40,
  },
  {
    name: 'histories',
    claim: 'A client that follows ends where a fresh one starts',
    script: 'histories',
    minutesMax: 40,
  },
  {
    name: 'replicas',
    claim: 'What a replica answers is what the primary would have answered',
    script: 'replicas',
    minutesMax: 40,
  },
  {
    name: 'distributed',
    claim: 'A database that is divided over several servers does what one server does',
    script: 'distributed',
    minutesMax: 60,
  },
  {
    name: 'tests',
    claim: 'The long forms of the tests pass',
    script: 'test:night',
    minutesMax: 90,
  },
  {
    name: 'mutants',
    claim: 'Tests notice when a line of the core changes',
    script: 'mutants',
    args: ['core'],
    minutesMax: 60,
  },
  {
    name: 'web',
    claim: 'The web client does in a browser what it should',
    script: 'web:check',
    minutesMax: 30,
  },
  {
    name: 'web-pictures',
    claim: 'The web client looks as somebody has accepted',
    script: 'web:pictures',
    minutesMax: 60,
  },
  {
    name: 'web-figures',
    claim: 'The web client starts with little script',
    script: 'web:figures',
    minutesMax: 20,
  },
  {
    name: 'operators',
    claim: 'The operators’ page shows what happens',
    script: 'operators',
    minutesMax: 10,
  },
  {
    name: 'k8s',
    claim: 'The manifests scale, roll and evict on real Kubernetes',
    script: 'k8s:check',
    minutesMax: 60,
  },
  {
    name: 'import-archives',
    claim: 'Archives of other products are converted in little memory',
    script: 'import:archives',
    args: ['--messages', '100000'],
    minutesMax: 15,
  },
  {
    name: 'import-archives-killed',
    claim: 'An import that is killed again and again ends as one that is not',
    script: 'import:archives',
    args: ['--kills', '5'],
    minutesMax: 20,
  },
];

/** The other npm scripts, and why the night does not run them. */
export const notProofs: Readonly<Record<string, string>> = {
  postinstall: 'npm runs it',
  start: 'runs the server',
  cluster: 'runs the server',
  parley: 'is the command line',
  'web:build': 'builds',
  'image:stage': 'builds',
  'web:gallery': 'makes pictures of components; the views that are made of them are proven by web:check',
  docs: 'writes pages, which a test compares with the code',
  capacity: 'computes',
  coverage: 'measures the tests',
  fix: 'changes the code',
  night: 'runs the proofs',
  test: 'runs with each change',
  'test:quick': 'is a part of npm test',
  unit: 'is a part of npm test',
  api: 'is a part of npm test',
  'cluster-tests': 'is a part of npm test',
  verify: 'runs with each change',
  format: 'runs with each change',
  lint: 'runs with each change',
  types: 'runs with each change',
  'dead-code': 'runs with each change',
};

/** The command as a person enters it. */
export const commandOf = ({ script, args = [] }: Proof): string =>
  ['npm run', script, ...(args.length > 0 ? ['--', ...args] : [])].join(' ');
