import { redisScript } from '../redis.js'

// A cursor is a hash; the index of a run is a sorted set of what the names of its cursors end in, by when they expire,
// in seconds of Redis's clock: what has expired leaves it with the next call on the run. Both names share a hash tag,
// so that a script finds them on one node of a cluster. A value of another type, or with more fields than a cursor ever
// had, is not touched, but indexed, so that forgetting the run removes it.

const MAX_FIELDS = 32
/** The index and what is in it outlive the cursors: it is asked which there are. */
const INDEX_EXTRA_SECONDS = 60

/** `fields` are those stored, none if there is no cursor, or 0 if what is there cannot be read. */
const READ = `
local fields = {}
local index = redis.call('TYPE', KEYS[2]).ok
if index ~= 'none' and index ~= 'zset' then return 0 end
local kind = redis.call('TYPE', KEYS[1]).ok
if kind == 'hash' and redis.call('HLEN', KEYS[1]) <= ${MAX_FIELDS} then
  fields = redis.call('HGETALL', KEYS[1])
elseif kind ~= 'none' then
  fields = 0
end`

const RENEW = `
local now = tonumber(redis.call('TIME')[1])
redis.call('EXPIRE', KEYS[1], ARGV[1])
redis.call('ZADD', KEYS[2], now + ARGV[1], ARGV[2])
redis.call('ZREMRANGEBYSCORE', KEYS[2], '-inf', now - ${INDEX_EXTRA_SECONDS})
redis.call('EXPIRE', KEYS[2], ARGV[1] + ${INDEX_EXTRA_SECONDS})`

/** KEYS: cursor, index. ARGV: seconds, member. Answers `fields`. */
export const LOAD = redisScript(`${READ}
if kind ~= 'none' then ${RENEW}
end
return fields`)

/**
 * KEYS: cursor, index. ARGV: seconds, member, number of expected fields and values, these, the new ones. Replaces what
 * is stored if it is just what was expected and answers 1, else `fields`.
 */
export const SAVE = redisScript(`${READ}
local expected = tonumber(ARGV[3])
local same = fields ~= 0 and #fields == expected
if same then
  local values = {}
  for i = 1, #fields, 2 do values[fields[i]] = fields[i + 1] end
  for i = 4, 3 + expected, 2 do same = same and values[ARGV[i]] == ARGV[i + 1] end
end
if same then
  if kind ~= 'none' then redis.call('DEL', KEYS[1]) end
  for i = 4 + expected, #ARGV, 2 do redis.call('HSET', KEYS[1], ARGV[i], ARGV[i + 1]) end
end
if same or kind ~= 'none' then ${RENEW}
end
return same and 1 or fields`)

/**
 * KEYS: cursor, index. ARGV: member. Removes a cursor, whatever is there. Answers how many there were, and 1 if the
 * index cannot be read.
 */
export const FORGET = redisScript(`
local forgotten = redis.call('DEL', KEYS[1])
local kind = redis.call('TYPE', KEYS[2]).ok
if kind == 'zset' then redis.call('ZREM', KEYS[2], ARGV[1]) end
return { forgotten, (kind == 'zset' or kind == 'none') and 0 or 1 }`)

/**
 * KEYS: index. ARGV: what the names of the run's cursors begin with. Removes them all and the index. Answers how many
 * there were, and 1, having done nothing, if the index cannot be read.
 */
export const FORGET_RUN = redisScript(`
local kind = redis.call('TYPE', KEYS[1]).ok
if kind == 'none' then return { 0, 0 } end
if kind ~= 'zset' then return { 0, 1 } end
local forgotten = 0
for _, member in ipairs(redis.call('ZRANGE', KEYS[1], 0, -1)) do
  local cursor = ARGV[1] .. member
  if cursor ~= KEYS[1] then forgotten = forgotten + redis.call('DEL', cursor) end
end
redis.call('DEL', KEYS[1])
return { forgotten, 0 }`)

/** KEYS: index. ARGV: seconds, members. Makes an index that cannot be read anew; adds to one that can. */
export const MEND_INDEX = redisScript(`
if redis.call('TYPE', KEYS[1]).ok ~= 'zset' then redis.call('DEL', KEYS[1]) end
local expires = tonumber(redis.call('TIME')[1]) + ARGV[1]
for i = 2, #ARGV do redis.call('ZADD', KEYS[1], expires, ARGV[i]) end
if #ARGV > 1 then redis.call('EXPIRE', KEYS[1], ARGV[1] + ${INDEX_EXTRA_SECONDS}) end`)
