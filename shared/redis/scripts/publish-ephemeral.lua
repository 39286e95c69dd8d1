--[[
  Gives an ephemeral event its number and carries it to whoever listens.

  KEYS[1]  number of the realm's newest ephemeral event
  ARGV[1]  channel
  ARGV[2]  message up to the number
  ARGV[3]  message after the number

  Returns the number.

  Numbers follow the time in steps of eight seconds, or else count: so they rise even when Redis has lost its memory,
  and faster than the heartbeats that take the ids above them.
]]
local newest = tonumber(redis.call('GET', KEYS[1])) or 0
local number = math.max(newest + 1, math.floor(tonumber(redis.call('TIME')[1]) / 8))
redis.call('SET', KEYS[1], number, 'EX', 86400)
redis.call('PUBLISH', ARGV[1], ARGV[2] .. number .. ARGV[3])
return number
