-- Commits changes one after the other, each by the rules of evaluate-change.ts. The server runs a script in one step.
--
-- All conditions of a change are checked before its first write. A full or read-only server refuses the first write of a script;
-- once it has accepted one, it accepts all. So each change is made as a whole or not at all.
--
-- KEYS: for every change every add, put and remove, the index of every member to add and to remove, and every index to expire.
-- ARGV: for every change its plan, the entry of every put, every member to add and to remove, and the expiry of every index to expire.
-- A plan is the position of once among the puts (from 1; 0 for none), the numbers of add, put, remove, index, unindex and expire, then by,
-- at_most and expiry of every add: 1,1,1,0,0,0,0;1,5,;
-- An entry contains its own expiry.
-- Returns for every change 0 when it was made, -1 for a duplicate, the position of the add that was refused (from 1), or an error
-- (a string). One argument for each number would take the server and its client longer than the work itself.

local KEYS, ARGV, call = KEYS, ARGV, redis.call
local find, match, format, tonumber = string.find, string.match, string.format, tonumber
local DONE, DUPLICATE = 0, -1

-- Number.MAX_SAFE_INTEGER. Lua has the same numbers as JavaScript. '%.0f' prints all digits; tostring does not.
local LARGEST = 9007199254740991

-- The counters that were read, by key. Those that were changed are written once, after all changes.
local counters = {}

local function parse_counter(entry)
	-- Most entries have one of the forms that this script writes. All others need the parser.
	local digits, expires = match(entry, '^{"value":(%d+),"expires":(%d+)}$')
	if not digits then digits = match(entry, '^{"value":(%d+)}$') end
	if digits and #digits < 16 then return { value = tonumber(digits), expires = expires } end
	local readable, counter = pcall(cjson.decode, entry)
	local value = readable and type(counter) == 'table' and counter.value
	if type(value) ~= 'number' or value ~= math.floor(value) or math.abs(value) > LARGEST then
		return { error = 'EASEL An entry in the store is not a counter.' }
	end
	return { value = value, expires = type(counter.expires) == 'number' and format('%.0f', counter.expires) or nil }
end

local function read_counter(key)
	local entry = redis.pcall('GET', key)
	if type(entry) == 'table' then return { error = entry.err } end
	local counter = entry and parse_counter(entry) or { value = 0, is_new = true }
	counters[key] = counter
	return counter
end

local function write_counter(key, counter)
	local entry
	if counter.expires then
		entry = format('{"value":%.0f,"expires":%s}', counter.value, counter.expires)
	else
		entry = format('{"value":%.0f}', counter.value)
	end
	if not counter.is_new then
		call('SET', key, entry, 'KEEPTTL')
	elseif counter.expires then
		call('SET', key, entry, 'PXAT', counter.expires)
	else
		call('SET', key, entry)
	end
end

-- Returns the values that the counters of a change would have, or nil and why it cannot be made.
local function add_up(adds, key_at, plan, plan_at)
	local sums = {}
	for i = 1, adds do
		local key = KEYS[key_at + i]
		local _, stop, by, at_most, expires = find(plan, '^(-?%d+),(-?%d*),(%d*);', plan_at)
		plan_at, by, at_most = stop + 1, tonumber(by), tonumber(at_most)
		local counter = counters[key] or read_counter(key)
		if counter.error then return nil, counter.error end
		local sum = (sums[key] or counter.value) + by
		if by >= 0 and at_most and sum > at_most then return nil, i end
		if sum > LARGEST or sum < -LARGEST then
			return nil, 'EASEL A counter in the store would exceed the largest safe integer.'
		end
		if counter.is_new and not counter.is_changed and not sums[key] then
			counter.expires = expires ~= '' and expires or nil
		end
		sums[key] = sum
	end
	return sums
end

local function exists(key)
	local counter = counters[key]
	return counter and counter.is_changed or call('EXISTS', key) == 1
end

-- Where the keys and arguments of the next change begin.
local next_key, next_argument = 0, 0

local function commit()
	local key, argument = next_key, next_argument + 1
	local plan = ARGV[argument]
	local _, header, once, adds, puts, removes, members, others, indexes =
		find(plan, '^(%d+),(%d+),(%d+),(%d+),(%d+),(%d+),(%d+);')
	next_key = key + adds + puts + removes + members + others + indexes
	next_argument = argument + puts + members + others + indexes

	if once ~= '0' and exists(KEYS[key + adds + once]) then return DUPLICATE end
	local sums, problem = add_up(adds, key, plan, header + 1)
	if not sums then return problem end

	for name, sum in pairs(sums) do
		local counter = counters[name]
		if counter.is_new or sum ~= counter.value then counter.is_changed = true end
		counter.value = sum
	end
	key = key + adds
	for i = 1, puts do
		local name, entry = KEYS[key + i], ARGV[argument + i]
		counters[name] = nil
		local expires = match(entry, '^,"expires":(%d+)}$', -25)
		if expires then call('SET', name, entry, 'PXAT', expires) else call('SET', name, entry) end
	end
	key, argument = key + puts, argument + puts
	for i = 1, removes do
		local name = KEYS[key + i]
		counters[name] = nil
		call('UNLINK', name)
	end
	key = key + removes
	for i = 1, members do call('ZADD', KEYS[key + i], '0', ARGV[argument + i]) end
	key, argument = key + members, argument + members
	for i = 1, others do call('ZREM', KEYS[key + i], ARGV[argument + i]) end
	key, argument = key + others, argument + others
	for i = 1, indexes do call('PEXPIREAT', KEYS[key + i], ARGV[argument + i]) end
	return DONE
end

local results = {}
while next_argument < #ARGV do results[#results + 1] = commit() end
for key, counter in pairs(counters) do
	if counter.is_changed then write_counter(key, counter) end
end
return results
