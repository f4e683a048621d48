-- Commits a change by the rules of evaluate-change.ts. The server runs a script in one step. All conditions are checked before
-- the first write, and a full or read-only server refuses at the first write, so the change is made as a whole or not at all.
--
-- KEYS: once (if any), every add, put and remove, the index of every member to add and to remove.
-- ARGV: the numbers of once, add, put, remove and members to add; by, at_most (or '') and expiry (or '') of every add; entry and
-- expiry (or '') of every put; member and expiry (or '') of every member to add; every member to remove.
-- Returns 'done', 'duplicate', or the index of the add that was refused, from 1.

-- Number.MAX_SAFE_INTEGER. Lua has the same numbers as JavaScript. '%.0f' prints all digits; tostring does not.
local LARGEST = 9007199254740991

local function read_counter(key, new_expiry)
	local entry = redis.call('GET', key)
	if not entry then return { value = 0, expires = new_expiry, is_new = true } end
	-- Most entries have one of the forms that this script writes. All others need the parser.
	local digits = string.match(entry, '^{"value":(%d+)}$')
	if digits and #digits < 16 then return { value = tonumber(digits) } end
	local expires
	digits, expires = string.match(entry, '^{"value":(%d+),"expires":(%d+)}$')
	if digits and #digits < 16 then return { value = tonumber(digits), expires = tonumber(expires) } end
	local readable, counter = pcall(cjson.decode, entry)
	local value = readable and type(counter) == 'table' and counter.value
	if type(value) ~= 'number' or value ~= math.floor(value) or math.abs(value) > LARGEST then return nil end
	return { value = value, expires = type(counter.expires) == 'number' and counter.expires or nil }
end

local function write_entry(key, entry, expires)
	if expires then redis.call('SET', key, entry, 'PXAT', string.format('%.0f', expires)) else redis.call('SET', key, entry) end
end

local function write_counter(key, counter)
	local entry = string.format('{"value":%.0f', counter.value)
	if counter.expires then entry = entry .. string.format(',"expires":%.0f', counter.expires) end
	if counter.is_new then
		write_entry(key, entry .. '}', counter.expires)
	else
		redis.call('SET', key, entry .. '}', 'KEEPTTL')
	end
end

local once, adds, puts, removes, members = unpack(ARGV, 1, 5)
once, adds, puts, removes, members = once + 0, adds + 0, puts + 0, removes + 0, members + 0
if once == 1 and redis.call('EXISTS', KEYS[1]) == 1 then return 'duplicate' end

local argument = 5
local function next_argument()
	argument = argument + 1
	return ARGV[argument]
end

local counters = {}
for i = 1, adds do
	local key = KEYS[once + i]
	local by, at_most, expires = tonumber(next_argument()), tonumber(next_argument()), tonumber(next_argument())
	local counter = counters[key] or read_counter(key, expires)
	if not counter then return redis.error_reply('EASEL An entry in the store is not a counter.') end
	local sum = counter.value + by
	if by >= 0 and at_most and sum > at_most then return i end
	if math.abs(sum) > LARGEST then
		return redis.error_reply('EASEL A counter in the store would exceed the largest safe integer.')
	end
	counter.value = sum
	counters[key] = counter
end

for key, counter in pairs(counters) do write_counter(key, counter) end
local position = once + adds
for i = position + 1, position + puts do write_entry(KEYS[i], next_argument(), tonumber(next_argument())) end
position = position + puts
for i = position + 1, position + removes do redis.call('UNLINK', KEYS[i]) end
position = position + removes
for i = position + 1, position + members do
	redis.call('ZADD', KEYS[i], 0, next_argument())
	local expires = next_argument()
	if expires ~= '' then redis.call('PEXPIREAT', KEYS[i], expires) end
end
for i = position + members + 1, #KEYS do redis.call('ZREM', KEYS[i], next_argument()) end
return 'done'
