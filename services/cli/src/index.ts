export { listCommands } from './app.ts';
export { runCommandLine } from './command-line.ts';
