export { navigationViewsState, presentNavigationView } from './state.ts';
