import type { Samples } from '../integration.ts';

const circle = {
  id: '3888f21b-eaa7-38e3-8f3d-75a63bba8895',
  happened_at: '2026-11-20T10:00:00.000Z',
  webhook: { id: 'cf8c4fdd', name: 'Chat' },
  project: { id: '84996744', name: 'shop', slug: 'github/tea/shop' },
  organization: { id: 'f22b6566', name: 'tea' },
  workflow: {
    id: 'fda08377',
    name: 'brew',
    status: 'failed',
    url: 'https://app.circleci.com/pipelines/workflows/fda08377',
  },
  pipeline: {
    id: '1285fe1d',
    number: 44,
    trigger: { type: 'webhook' },
    vcs: {
      provider_name: 'github',
      branch: 'main',
      revision: '1dc6aa69',
      commit: { subject: 'Warm the tea', body: '' },
    },
  },
};

const circleci: Samples = {
  'workflow failed': ['workflow-completed', { ...circle, type: 'workflow-completed' }],
  'job succeeded': [
    'job-completed',
    {
      ...circle,
      type: 'job-completed',
      job: { id: '8bd71c28', name: 'unit', number: 136, status: 'success' },
      pipeline: { ...circle.pipeline, vcs: { tag: 'v1' } },
    },
  ],
};

const build = (phase: string, status?: string) => ({
  name: 'shop',
  display_name: 'Tea shop',
  url: 'job/shop/',
  build: {
    full_url: 'https://jenkins.example/job/shop/18/',
    number: 18,
    queue_id: 1,
    phase,
    ...(status !== undefined && { status }),
    url: 'job/shop/18/',
    scm: { url: 'https://git.example/tea/shop.git', branch: 'origin/main', commit: 'c6d86dc6' },
    log: '',
    artifacts: {},
  },
});

const jenkins: Samples = {
  started: ['STARTED', build('STARTED')],
  failed: ['FINALIZED', build('FINALIZED', 'FAILURE')],
  succeeded: ['FINALIZED', build('FINALIZED', 'SUCCESS')],
};

const home = 'https://buildkite.com/tea/shop/builds/12';
const sender = { id: '8a7693f8', name: 'Mona' };
const kite = (event: string, state: string, more: object = {}) => ({
  event,
  build: {
    id: 'f62a1b4d',
    web_url: home,
    number: 12,
    state,
    message: 'Warm the tea\n\nAt last.',
    branch: 'main',
    commit: 'c6d86dc6',
  },
  pipeline: { id: 'f62a1b4e', name: 'Tea shop', slug: 'shop' },
  sender,
  ...more,
});
const job = (state: string) => ({
  job: { id: 'b63254c0', type: 'script', name: 'unit', state, web_url: `${home}#b63254c0` },
});
const agent = (event: string) => ({
  event,
  agent: {
    id: '0b461f65',
    name: 'kettle-1',
    hostname: 'kitchen',
    web_url: 'https://buildkite.com/organizations/tea/agents/0b461f65',
  },
  sender,
});

const buildkite: Samples = {
  'build passed': ['build.finished', kite('build.finished', 'passed')],
  'build failed': ['build.finished', kite('build.finished', 'failed')],
  'build scheduled': ['build.scheduled', kite('build.scheduled', 'scheduled')],
  'build started': ['build.running', kite('build.running', 'running')],
  'build failing': ['build.failing', kite('build.failing', 'failing')],
  'job started': ['job.started', kite('job.started', 'running', job('running'))],
  'job failed': ['job.finished', kite('job.finished', 'running', job('failed'))],
  'step blocked': ['job.activated', kite('job.activated', 'blocked', job('blocked'))],
  'agent connected': ['agent.connected', agent('agent.connected')],
  'agent disconnected': ['agent.disconnected', agent('agent.disconnected')],
  'agent lost': ['agent.lost', agent('agent.lost')],
  ping: ['ping', { event: 'ping', service: { provider: 'webhook' }, organization: { name: 'Tea' }, sender }],
};

const deploy = {
  id: '5ebc34bf',
  site_id: 'fa4dd95a',
  state: 'ready',
  name: 'tea-shop',
  url: 'http://tea.example',
  ssl_url: 'https://tea.example',
  admin_url: 'https://app.netlify.com/projects/tea-shop',
  deploy_ssl_url: 'https://5ebc34bf--tea-shop.netlify.app',
  branch: 'main',
  context: 'production',
  title: 'Warm the tea',
  commit_ref: 'c6d86dc654b12425e706bcf951adfe5a8627a517',
  commit_url: 'https://git.example/tea/shop/commit/c6d86dc654b12425e706bcf951adfe5a8627a517',
  error_message: null,
};

const netlify: Samples = {
  succeeded: ['deploy_created', deploy],
  started: ['deploy_building', { ...deploy, state: 'building' }],
  failed: [
    'deploy_failed',
    { ...deploy, state: 'error', title: null, error_message: 'Build script returned non-zero exit code: 2' },
  ],
  deleted: ['deploy_deleted', deploy],
  locked: ['deploy_locked', { ...deploy, locked: true }],
  unlocked: ['deploy_unlocked', deploy],
  restored: ['deploy_restored', deploy],
  pending: ['deploy_request_pending', deploy],
  accepted: ['deploy_request_accepted', deploy],
  rejected: ['deploy_request_rejected', deploy],
  'form sent': [
    'submission_created',
    {
      form_name: 'order',
      site_url: 'https://tea.example',
      ordered_human_fields: [
        { title: 'Name', name: 'name', value: 'Mona' },
        { title: 'Cups', name: 'cups', value: 2 },
      ],
    },
  ],
};

const travisBuild = (state: string) => ({
  id: 1,
  number: '7',
  state,
  status_message: state,
  branch: 'main',
  tag: null,
  message: 'Warm the tea',
  commit: '62aae5f7',
  build_url: 'https://app.travis-ci.com/tea/shop/builds/1',
  type: 'push',
  repository: { id: 1, name: 'shop', owner_name: 'tea' },
});

const travis: Samples = Object.fromEntries(
  ['passed', 'failed', 'started', 'errored', 'canceled'].map((state) => [state, [state, travisBuild(state)]]),
);

export const samples = { circleci, jenkins, buildkite, netlify, travis };
