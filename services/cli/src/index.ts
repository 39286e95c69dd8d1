export { listCommands } from './app.ts';
