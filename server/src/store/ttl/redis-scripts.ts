import { createHash } from 'node:crypto';

/** Lua that runs inside Redis, so that each step is atomic. Input comes only as KEYS and ARGV, never as script text. */
export interface RedisScript {
  readonly source: string;
  readonly sha: string;
}

function script(source: string): RedisScript {
  return { source, sha: createHash('sha1').update(source).digest('hex') };
}

/** PTTL of every key: -1 for no end, -2 for a missing key. */
export const lifetimesScript = script(`
local found = {}
for i, key in ipairs(KEYS) do found[i] = redis.call('PTTL', key) end
return found`);

/** A page of the keys that match ARGV[2], each followed by its PTTL. It blocks Redis for a few milliseconds. */
export const pageScript = script(`
local page = redis.call('SCAN', ARGV[1], 'MATCH', ARGV[2], 'COUNT', ARGV[3])
local found = {}
for i, key in ipairs(page[2]) do
  found[2 * i - 1] = key
  found[2 * i] = redis.call('PTTL', key)
end
return { page[1], found }`);

/** 1 for every key that existed. */
export const deleteScript = script(`
local existed = {}
for i, key in ipairs(KEYS) do existed[i] = redis.call('DEL', key) end
return existed`);

/** ARGV: now, window, name of this event, most events kept. Replaces a key of another type. */
export const recordScript = script(`
local key, now, window = KEYS[1], tonumber(ARGV[1]), tonumber(ARGV[2])
if redis.call('TYPE', key).ok ~= 'zset' then redis.call('DEL', key) end
redis.call('ZREMRANGEBYSCORE', key, '-inf', now - window)
redis.call('ZADD', key, now, ARGV[3])
redis.call('ZREMRANGEBYRANK', key, 0, -1 - tonumber(ARGV[4]))
redis.call('PEXPIRE', key, math.ceil(window))
return { redis.call('ZCARD', key), redis.call('ZRANGE', key, 0, 0, 'WITHSCORES')[2] }`);

export const countScript = script(`
local key, since = KEYS[1], '(' .. string.format('%.17g', tonumber(ARGV[1]) - tonumber(ARGV[2]))
if redis.call('TYPE', key).ok ~= 'zset' then return { 0, false } end
local oldest = redis.call('ZRANGEBYSCORE', key, since, '+inf', 'WITHSCORES', 'LIMIT', 0, 1)
return { redis.call('ZCOUNT', key, since, '+inf'), oldest[2] or false }`);

/** A document is a hash of order, id and body; anything else under the key is no document (contract 8.4). */
const markOf = `
local function markOf(key)
  if redis.call('TYPE', key).ok ~= 'hash' then return nil end
  local mark = redis.call('HMGET', key, 'order', 'id', 'note')
  if not mark[1] or not mark[2] or redis.call('HEXISTS', key, 'body') == 0 then return nil end
  if not string.match(mark[1], '^%-?%d+$') or math.abs(tonumber(mark[1])) >= 2 ^ 53 then return nil end
  return mark
end`;

/** ARGV: the new lifetime, or nothing. */
export const readMarkScript = script(`${markOf}
local mark = markOf(KEYS[1])
if not mark then return false end
if ARGV[1] ~= '' then redis.call('PEXPIRE', KEYS[1], ARGV[1]) end
return mark`);

/** ARGV: order, body id, lifetime or '', `after` or '', 'keep' or 'set', note, and body unless only the mark moves. */
export const writeDocumentScript = script(`${markOf}
local key, after, note, body = KEYS[1], ARGV[4], ARGV[6], ARGV[7]
local mark = markOf(key)
if after ~= '' and (mark and mark[1] or '0') ~= after then return 'changed' end
if mark and tonumber(mark[1]) > tonumber(ARGV[1]) then return 'older' end
if not body and (not mark or mark[2] ~= ARGV[2]) then return 'body-needed' end
if not mark then redis.call('DEL', key) end
if body then redis.call('HSET', key, 'body', body) end
redis.call('HSET', key, 'order', ARGV[1], 'id', ARGV[2])
if ARGV[5] == 'set' then
  if note == '' then redis.call('HDEL', key, 'note') else redis.call('HSET', key, 'note', note) end
end
if ARGV[3] ~= '' then redis.call('PEXPIRE', key, ARGV[3]) end
return 'written'`);
