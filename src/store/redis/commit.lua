-- Commits a change by the rules of evaluate-change.ts. The server runs a script in one step. All conditions are checked before
-- the first write, and a full or read-only server refuses at the first write, so the change is made as a whole or not at all.
--
-- KEYS: once (if any), every add, every put, every remove.
-- ARGV: the numbers of once, add and put; by and at_most (or '') of every add; the entry of every put.
-- Returns 'done', 'duplicate', or the index of the add that was refused, from 1.

-- Number.MAX_SAFE_INTEGER. Lua has the same numbers as JavaScript. '%.0f' prints all digits; tostring does not.
local LARGEST = 9007199254740991

local function read_counter(key)
	local entry = redis.call('GET', key)
	if not entry then return { value = 0 } end
	-- Most entries have the form that this script writes. All others need the parser.
	local digits = string.match(entry, '^{"value":(%d+)}$')
	if digits and #digits < 16 then return { value = tonumber(digits) } end
	local readable, counter = pcall(cjson.decode, entry)
	local value = readable and type(counter) == 'table' and counter.value
	if type(value) ~= 'number' or value ~= math.floor(value) or math.abs(value) > LARGEST then return nil end
	return { value = value, expires = type(counter.expires) == 'number' and counter.expires or nil }
end

local function write_counter(key, counter)
	local entry = string.format('{"value":%.0f', counter.value)
	if counter.expires then entry = entry .. string.format(',"expires":%.0f', counter.expires) end
	redis.call('SET', key, entry .. '}', 'KEEPTTL')
end

local once, adds, puts = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
if once == 1 and redis.call('EXISTS', KEYS[1]) == 1 then return 'duplicate' end

local counters = {}
for i = 1, adds do
	local key = KEYS[once + i]
	local by, at_most = tonumber(ARGV[2 + 2 * i]), tonumber(ARGV[3 + 2 * i])
	local counter = counters[key] or read_counter(key)
	if not counter then return redis.error_reply('EASEL An entry in the store is not a counter.') end
	local sum = counter.value + by
	if by >= 0 and at_most and sum > at_most then return i end
	if math.abs(sum) > LARGEST then
		return redis.error_reply('EASEL A counter in the store would exceed the largest safe integer.')
	end
	counters[key] = { value = sum, expires = counter.expires }
end

for key, counter in pairs(counters) do write_counter(key, counter) end
for i = 1, puts do redis.call('SET', KEYS[once + adds + i], ARGV[3 + 2 * adds + i]) end
for i = once + adds + puts + 1, #KEYS do redis.call('UNLINK', KEYS[i]) end
return 'done'
