// It is written for Nodes of any age: what they cannot parse would be their message instead of this one.
var engines = require('../package.json').engines.node;

/** The lowest version of each range of `^20.19.0 || >=22.12.0`, as numbers. */
var ranges = engines.split('||').map(function (range) {
  return { staysMajor: range.indexOf('^') >= 0, lowest: range.match(/\d+/g).map(Number) };
});
var running = process.versions.node.split('.').map(Number);

function isIn(range) {
  if (range.staysMajor && running[0] !== range.lowest[0]) return false;
  for (var part = 0; part < 3; part += 1) {
    if (running[part] !== range.lowest[part]) return running[part] > range.lowest[part];
  }
  return true;
}

if (!ranges.some(isIn)) {
  process.stderr.write(
    'Parley needs Node 20.19, 22.12 or newer, and this is Node ' +
      process.versions.node +
      ' (' +
      process.execPath +
      ').\nInstall Node 24, for instance with "nvm install 24", and run the command again.\n',
  );
  process.exit(1);
}
