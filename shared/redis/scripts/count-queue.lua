--[[
  Counts a new event queue of a user, unless the user has as many as they may have.

  KEYS[1]  the user's queues, by the time in milliseconds until which each may idle
  ARGV[1]  the time now, in milliseconds
  ARGV[2]  the id of the new queue
  ARGV[3]  the time until which it may idle
  ARGV[4]  the most queues of a user
  ARGV[5]  the seconds for which the key is kept

  Returns 0, or the first time at which one of the user's queues may have idled out if they have too many.
]]
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', ARGV[1])
if redis.call('ZCARD', KEYS[1]) >= tonumber(ARGV[4]) then
  return tonumber(redis.call('ZRANGE', KEYS[1], 0, 0, 'WITHSCORES')[2])
end
redis.call('ZADD', KEYS[1], ARGV[3], ARGV[2])
redis.call('EXPIRE', KEYS[1], ARGV[5])
return 0
