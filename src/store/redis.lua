-- Commits a change by the rules of evaluateChange in backend.ts. The server runs a script in one step. All conditions are checked before the first
-- write. A full or read-only server refuses the first write of a script; once it has accepted one, it accepts all. So a change is made as
-- a whole or not at all.
--
-- KEYS: every add, put and remove, then the index of every member to add and to remove.
-- ARGV: the plan (JSON), then the entry of every put, every member to add and to remove.
-- In the plan, once is the position of that key among the puts (0 for none), put and index are expiries in Unix milliseconds (0 for none).
-- Returns 0 when the change was made, -1 for a duplicate, and the position of the add that was refused.

local plan, call = cjson.decode(ARGV[1]), redis.call

-- Number.MAX_SAFE_INTEGER. Lua has the same numbers as JavaScript. '%.0f' prints all digits; tostring does not.
local LARGEST = 9007199254740991

local function read_counter(key, expires)
	local entry = redis.pcall('GET', key)
	if type(entry) == 'table' then return entry end
	if not entry then return { value = 0, expires = expires, is_new = true, is_changed = true } end
	local readable, counter = pcall(cjson.decode, entry)
	local value = readable and type(counter) == 'table' and counter.value
	if type(value) ~= 'number' or value ~= math.floor(value) or math.abs(value) > LARGEST then
		return redis.error_reply('EASEL An entry in the store is not a counter.')
	end
	return { value = value, expires = type(counter.expires) == 'number' and counter.expires or nil }
end

local function write_counter(key, counter)
	local entry = string.format('{"value":%.0f', counter.value)
	local expires = counter.expires and string.format('%.0f', counter.expires)
	entry = entry .. (expires and ',"expires":' .. expires or '') .. '}'
	if not counter.is_new then
		call('SET', key, entry, 'KEEPTTL')
	elseif expires then
		call('SET', key, entry, 'PXAT', expires)
	else
		call('SET', key, entry)
	end
end

if plan.once > 0 and call('EXISTS', KEYS[#plan.add + plan.once]) == 1 then return -1 end

local counters = {}
for position, step in ipairs(plan.add) do
	local key = KEYS[position]
	local counter = counters[key] or read_counter(key, step.expires)
	if counter.err then return counter end
	local sum = counter.value + step.by
	if step.by >= 0 and step.atMost and sum > step.atMost then return position end
	if math.abs(sum) > LARGEST then
		return redis.error_reply('EASEL A counter in the store would exceed the largest safe integer.')
	end
	counter.value, counter.is_changed = sum, counter.is_changed or step.by ~= 0
	counters[key] = counter
end

for key, counter in pairs(counters) do
	if counter.is_changed then write_counter(key, counter) end
end
local key, argument = #plan.add, 1
for position, expires in ipairs(plan.put) do
	local name, entry = KEYS[key + position], ARGV[argument + position]
	if expires > 0 then
		call('SET', name, entry, 'PXAT', string.format('%.0f', expires))
	else
		call('SET', name, entry)
	end
end
key, argument = key + #plan.put, argument + #plan.put
for position = 1, plan.remove do call('UNLINK', KEYS[key + position]) end
key = key + plan.remove
for position, expires in ipairs(plan.index) do
	local name = KEYS[key + position]
	call('ZADD', name, '0', ARGV[argument + position])
	if expires > 0 then call('PEXPIREAT', name, string.format('%.0f', expires)) end
end
key, argument = key + #plan.index, argument + #plan.index
for position = 1, plan.unindex do call('ZREM', KEYS[key + position], ARGV[argument + position]) end
return 0
