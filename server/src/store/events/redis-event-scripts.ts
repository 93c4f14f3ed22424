import { hash } from 'node:crypto';
import type { RedisScript } from '../ttl/redis-scripts.ts';

const script = (source: string): RedisScript => ({ source, sha: hash('sha1', source) });

/** Fields of one event among the arguments. */
const FIELDS = 7;

/**
 * Appends events and updates the kept state in one step. KEYS: the stream, the mark of the node, then one hash per
 * event. Events that the node had already written, in a batch whose answer was lost, are not written again.
 */
export const appendScript = script(`
local most, number = ARGV[1], tonumber(ARGV[2])
local done = tonumber(redis.call('GET', KEYS[2]) or '0')
for i = 3, #KEYS do
  local a = 3 + (i - 3) * ${FIELDS}
  if number > done then
    redis.call('XADD', KEYS[1], 'MAXLEN', '~', most, '*', 't', ARGV[a], 'e', ARGV[a + 1], 'd', ARGV[a + 2],
      'p', ARGV[a + 3], 'k', ARGV[a + 4], 's', ARGV[a + 5], 'v', ARGV[a + 6])
    if ARGV[a + 4] == 'set' then
      local kept = ARGV[a + 6]
      if kept == '' then kept = ARGV[a + 2] end
      redis.call('HSET', KEYS[i], ARGV[a + 5], kept)
    elseif ARGV[a + 4] == 'del' then
      redis.call('HDEL', KEYS[i], ARGV[a + 5])
    end
  end
  number = number + 1
end
redis.call('SET', KEYS[2], string.format('%.0f', number - 1), 'PX', 3600000)
return 'OK'`);

/** The last id and the kept state at it. KEYS: the stream, then one hash per topic. An empty stream gets an entry. */
export const stateScript = script(`
if redis.call('XLEN', KEYS[1]) == 0 then redis.call('XADD', KEYS[1], '*', 't', '') end
local answer = { redis.call('XREVRANGE', KEYS[1], '+', '-', 'COUNT', 1)[1][1], redis.call('TIME')[1] }
for i = 2, #KEYS do answer[#answer + 1] = redis.call('HGETALL', KEYS[i]) end
return answer`);

/** Whether this node is the speaker: the first node that asks, as long as it keeps asking. */
export const speakScript = script(`
local speaker = redis.call('GET', KEYS[1])
if speaker and speaker ~= ARGV[1] then return 0 end
redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
return 1`);

/** Stores the topics followed on this node, each until it expires, and returns those followed on any node. */
export const hearScript = script(`
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
for i = 2, #ARGV do redis.call('ZADD', KEYS[1], now + ARGV[1], ARGV[i]) end
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now)
redis.call('PEXPIRE', KEYS[1], ARGV[1])
return redis.call('ZRANGE', KEYS[1], 0, -1)`);

export const silenceScript = script(`
if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('DEL', KEYS[1]) end
return 0`);
