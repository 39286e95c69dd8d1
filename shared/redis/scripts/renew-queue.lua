--[[
  Writes the record of an event queue, unless another node has written it in a term of which the writer does not know: it has
  served the queue in a history that the writer has not read, and what it knows of the queue must not be lost.

  KEYS[1]  the queue
  ARGV[1]  its record, signed
  ARGV[2]  the seconds for which it is kept
  ARGV[3]  the term of the record that the writer knows
  ARGV[4]  the term of the record that it writes

  Returns the record that stands there, if it is left; nothing, if it is written.
]]
local stored = redis.call('GET', KEYS[1])
local term = stored and string.match(stored, '"position":{"seq":%d+,"term":"(%w*)"}')
if term and term ~= ARGV[3] and term ~= ARGV[4] then
  redis.call('EXPIRE', KEYS[1], ARGV[2])
  return stored
end
redis.call('SET', KEYS[1], ARGV[1], 'EX', ARGV[2])
return false
