--[[
  Gives an ephemeral event its number and carries it to whoever listens, if there is an id for it behind its entry.

  KEYS[1]  number of the realm's newest ephemeral event
  KEYS[2]  the entry behind which that event is, the time of its publication in milliseconds, and the epoch of the log
  ARGV[1]  channel, of the shard that has the keys: other masters of a cluster are not told
  ARGV[2]  message up to the number
  ARGV[3]  message after the number
  ARGV[4]  the entry behind which this event is
  ARGV[5]  its age in milliseconds
  ARGV[6]  ids of an entry
  ARGV[7]  those of them that belong to its events
  ARGV[8]  the epoch of the log; of another, later entries say nothing

  Returns the number; 0 if no id is left, and -1 if an event was published behind a later entry.

  A number modulo the ids of an entry is the event's own id among them. Heartbeats take ids there as well, one in 45
  seconds at most: so many are left out for each event. Numbers follow the time in seconds, or else count: so they rise
  even when Redis has lost its memory.
]]
local per, after = tonumber(ARGV[6]), tonumber(ARGV[4])
local time = redis.call('TIME')
local now = tonumber(time[1]) * 1000 + math.floor(tonumber(time[2]) / 1000)
local newest = tonumber(redis.call('GET', KEYS[1])) or 0
local before, at, epoch = string.match(redis.call('GET', KEYS[2]) or '', '^(%d+) (%d+) ?(%S*)$')
if epoch ~= ARGV[8] then before = nil end
before = tonumber(before)
local own, block
if before and before > after then return -1 end
if before == after then
  own = newest % per + 1 + math.floor(math.max(0, now - tonumber(at)) / 40000)
  block = math.floor(newest / per)
else
  own = tonumber(ARGV[7]) + 1 + math.floor(math.max(0, tonumber(ARGV[5])) / 40000)
  block = math.max(math.floor(newest / per) + 1, math.floor(now / 1000 / per))
end
if own >= per then return 0 end
local number = block * per + own
redis.call('SET', KEYS[1], number, 'EX', 86400)
redis.call('SET', KEYS[2], after .. ' ' .. now .. ' ' .. ARGV[8], 'EX', 86400)
redis.call('SPUBLISH', ARGV[1], ARGV[2] .. number .. ARGV[3])
return number
